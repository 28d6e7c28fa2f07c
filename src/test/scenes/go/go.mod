module scenes

go 1.23

require numera.dev/client v0.0.0

replace numera.dev/client => ../../../../clients/go
