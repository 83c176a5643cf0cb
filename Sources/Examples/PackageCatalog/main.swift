// The example.
