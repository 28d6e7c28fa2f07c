module numera.dev/client

go 1.23
