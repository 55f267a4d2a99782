package main

import (
	"go/ast"
	"go/types"
	"sort"
)

func (j *judge) site(u *unit, callee ast.Expr, kind string) {
	name := calleeName(callee, u.info)
	if name == nil {
		return
	}
	at, _ := j.placeOf(name.Pos())
	verdict, targets := j.verdict(u.info.Uses[name])
	check(j.out.Encode(line{
		Is: "site", Kind: kind, Name: name.Name, File: at.File, Line: at.Line, Column: at.Column,
		Verdict: verdict, Targets: targets,
	}))
}

func (j *judge) verdict(object types.Object) (string, []target) {
	if object == nil {
		return "unresolved", nil
	}
	object = origin(object)
	at, isOwn := j.placeOf(object.Pos())
	if object.Pkg() == nil || !object.Pos().IsValid() || !isOwn {
		return "outside", nil
	}
	targets := []target{{at, kindOf(object)}}
	if j.isNamed(object) {
		return "edge", targets
	}
	if function, isHeld := j.holds[object]; isHeld {
		if held, isOwn := j.placeOf(function.Pos()); isOwn {
			targets = append(targets, target{held, "function"})
		}
	}
	return "local", targets
}

// A method of an instance is that of the generic type.
func origin(object types.Object) types.Object {
	switch object := object.(type) {
	case *types.Func:
		return object.Origin()
	case *types.Var:
		return object.Origin()
	}
	return object
}

func kindOf(object types.Object) string {
	switch object := object.(type) {
	case *types.Func:
		if receiver := object.Type().(*types.Signature).Recv(); receiver == nil {
			return "function"
		} else if types.IsInterface(receiver.Type()) {
			return "interface method"
		}
		return "method"
	case *types.TypeName:
		return "type"
	case *types.Var:
		if object.IsField() {
			return "field"
		}
	}
	return "variable"
}

func (j *judge) isNamed(object types.Object) bool {
	switch object := object.(type) {
	case *types.Func:
		receiver := object.Type().(*types.Signature).Recv()
		return receiver == nil || !types.IsInterface(receiver.Type()) || j.named[object.Pos()]
	case *types.TypeName:
		_, isParameter := object.Type().(*types.TypeParam)
		return !isParameter
	case *types.Var:
		if object.IsField() {
			return j.named[object.Pos()]
		}
		return object.Parent() == object.Pkg().Scope() || j.closures[object]
	}
	return false
}

// For each method of an interface, the methods of the corpus's types that may run when it is called.
func (j *judge) implementations(units []*unit) {
	contracts, holders := j.types(units)
	found := map[place]map[place]target{}
	names := map[place]string{}
	for _, contract := range contracts {
		asked := contract.Underlying().(*types.Interface)
		var held []*types.Pointer
		for _, holder := range holders {
			// A pointer has the methods of its value as well.
			if pointer := types.NewPointer(holder); types.Implements(pointer, asked) {
				held = append(held, pointer)
			}
		}
		for n := 0; n < asked.NumExplicitMethods(); n++ {
			method := asked.ExplicitMethod(n)
			at, isOwn := j.placeOf(method.Pos())
			if !isOwn || !j.named[method.Pos()] {
				continue
			}
			names[at] = method.Name()
			if found[at] == nil {
				found[at] = map[place]target{}
			}
			for _, holder := range held {
				object, _, _ := types.LookupFieldOrMethod(holder, false, method.Pkg(), method.Name())
				own, isFunction := object.(*types.Func)
				if !isFunction || kindOf(own) != "method" {
					continue
				}
				if place, isOwn := j.placeOf(own.Origin().Pos()); isOwn {
					found[at][place] = target{place, "method"}
				}
			}
		}
	}
	for at, targets := range found {
		entry := line{Is: "member", Name: names[at], File: at.File, Line: at.Line, Column: at.Column}
		for _, each := range targets {
			entry.Targets = append(entry.Targets, each)
		}
		sort.Slice(entry.Targets, func(a, b int) bool { return isBefore(entry.Targets[a].place, entry.Targets[b].place) })
		check(j.out.Encode(entry))
	}
}

func isBefore(a, b place) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	return a.Line < b.Line
}

// The interfaces that have methods, and the other types, of all units. What an interface with parameters asks for is not
// known before it is used.
func (j *judge) types(units []*unit) (contracts, holders []*types.Named) {
	for _, u := range units {
		for _, object := range u.info.Defs {
			name, isType := object.(*types.TypeName)
			if !isType || name.IsAlias() {
				continue
			}
			named, isNamed := name.Type().(*types.Named)
			if !isNamed {
				continue
			}
			if asked, isContract := named.Underlying().(*types.Interface); !isContract {
				holders = append(holders, named)
			} else if asked.IsMethodSet() && asked.NumMethods() > 0 && named.TypeParams().Len() == 0 {
				contracts = append(contracts, named)
			}
		}
	}
	return contracts, holders
}
