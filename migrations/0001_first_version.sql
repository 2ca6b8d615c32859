-- Every change of configuration moves this number; it must stand before the first request reads it.
INSERT INTO `config_version` (`id`, `version`) VALUES (1, 1) ON CONFLICT DO NOTHING;
