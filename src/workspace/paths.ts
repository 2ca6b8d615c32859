/** The directory that an absolute path lies in; that of `/` is itself. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";

/** The path of a name in a directory. */
export const childOf = (directory: string, name: string): string =>
	directory === "/" ? `/${name}` : `${directory}/${name}`;

/** How a path below a directory is named from there. */
export const nameBelow = (directory: string, path: string): string =>
	path.slice(directory === "/" ? 1 : directory.length + 1);
