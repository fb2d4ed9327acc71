import { print } from '../machine';

/** Prints a whole output; the tool then ends well. */
export async function show(text: string): Promise<number> {
  await print(text);
  return 0;
}

/** Value behind the first of these options that is there. */
export const option = (args: readonly string[], ...names: string[]): string | undefined => {
  const index = args.findIndex((arg) => names.includes(arg));
  return index === -1 ? undefined : args[index + 1];
};

/** One row of dcgmi's tables of 27 and 48 characters. */
export const tableRow = (name: string, value: string): string => `| ${name.padEnd(26)}| ${value.padEnd(47)}|\n`;
