// Runs the command line.
