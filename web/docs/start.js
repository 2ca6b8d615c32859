// The viewer has a dark theme and no rule for when to use it: follow the system.
const dark = matchMedia("(prefers-color-scheme: dark)");
const followSystem = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followSystem();
dark.addEventListener("change", followSystem);

window.SwaggerUIBundle({
	url: "/api/v1/openapi.json",
	dom_id: "#api",
	deepLinking: true,
	docExpansion: "none",
	defaultModelsExpandDepth: -1,
	// The badge would ask a server on the internet.
	validatorUrl: "none",
});
