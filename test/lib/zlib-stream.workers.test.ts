import { describe } from "vitest";
import { describeZlibStream } from "./zlib-stream";

describe("compressed bytes in workerd", describeZlibStream);
