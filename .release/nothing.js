// Stands in for node:child_process in the bundled command. Commander would start subcommands that are programs of their own with it;
// the command has none, starts nothing, and a start is 2 ms quicker without.
export {};
