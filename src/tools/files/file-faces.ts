import { defineAlias } from "../tool";
import { editFile } from "./edit-file";
import { readFile } from "./read-file";
import { writeFile } from "./write-file";

export const fileRead = defineAlias(readFile, { name: "file_read", input: readFile.input, map: (input) => input });

export const fileWrite = defineAlias(writeFile, { name: "file_write", input: writeFile.input, map: (input) => input });

export const fileEdit = defineAlias(editFile, { name: "file_edit", input: editFile.input, map: (input) => input });
