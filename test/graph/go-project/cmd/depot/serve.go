package main

import (
	"net/http"

	"example.com/depot/internal/server"
)

type flags struct{ address string }

func (f *flags) parse(args []string) *flags {
	for _, arg := range args {
		f.address = arg
	}
	return f
}

func serve(srv *server.Server, args []string) error {
	f := new(flags).parse(args)
	stop := f.parse
	_ = stop(nil)
	return http.ListenAndServe(f.address, nil)
}
