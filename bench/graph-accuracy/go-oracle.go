// go run go-oracle.go ROOT GOPATH MODULES: what go/types knows about a tree, as JSON lines. MODULES is a JSON object of
// import paths and their folders below ROOT; all else is looked for in GOPATH. Definitions and call sites are those of
// go/parser, the targets of calls those of go/types. Tests are read with the package that they belong to.
package main

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

type place struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type target struct {
	place
	Kind string `json:"kind"`
}

type line struct {
	Is      string   `json:"is"`
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Column  int      `json:"column"`
	Kind    string   `json:"kind,omitempty"`
	Name    string   `json:"name,omitempty"`
	Verdict string   `json:"verdict,omitempty"`
	Targets []target `json:"targets,omitempty"`
}

// One package as one build sees it: alone, with its tests, or its tests from outside.
type unit struct {
	pkg    *types.Package
	info   *types.Info
	files  []*ast.File
	errors int
}

type judge struct {
	root    string
	modules map[string]string
	context build.Context
	fset    *token.FileSet
	plain   map[string]*unit
	// The package under test, while tests from outside are checked.
	tested map[string]*types.Package
	lines  map[string][]string
	// Members of types that have a name, by the place of their own.
	named map[token.Pos]bool
	// Local variables that hold a function literal, and those that evidently hold a function.
	closures map[types.Object]bool
	holds    map[types.Object]types.Object
	out      *json.Encoder
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	check(err)
	j := &judge{
		root: root, context: build.Default, fset: token.NewFileSet(), plain: map[string]*unit{},
		lines: map[string][]string{}, named: map[token.Pos]bool{},
		closures: map[types.Object]bool{}, holds: map[types.Object]types.Object{},
	}
	j.context.GOPATH = os.Args[2]
	j.context.CgoEnabled = false
	check(json.Unmarshal([]byte(os.Args[3]), &j.modules))
	buffer := bufio.NewWriter(os.Stdout)
	j.out = json.NewEncoder(buffer)
	var units []*unit
	check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); path != root && (name == "testdata" || name == "vendor" || strings.ContainsAny(name[:1], "._")) {
			return filepath.SkipDir
		}
		units = append(units, j.packageIn(path)...)
		return nil
	}))
	j.implementations(units)
	check(buffer.Flush())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (j *judge) packageIn(folder string) []*unit {
	listed, err := j.context.ImportDir(folder, 0)
	if err != nil {
		if _, isEmpty := err.(*build.NoGoError); !isEmpty {
			return nil
		}
	}
	for _, name := range append(listed.IgnoredGoFiles, listed.CgoFiles...) {
		check(j.out.Encode(line{Is: "variant", File: j.relative(filepath.Join(folder, name))}))
	}
	path := j.importPath(folder)
	var units []*unit
	if len(listed.GoFiles) > 0 {
		own, err := j.load(path)
		if err == nil {
			j.judgeFiles(own, own.files)
			units = append(units, own)
		}
	}
	inside := units
	if len(listed.TestGoFiles) > 0 {
		tests := j.parse(folder, listed.TestGoFiles)
		with := j.check(path, append(j.parse(folder, listed.GoFiles), tests...), false)
		j.judgeFiles(with, tests)
		inside = []*unit{with}
		units = append(units, with)
	}
	if len(listed.XTestGoFiles) > 0 {
		files := j.parse(folder, listed.XTestGoFiles)
		outside := j.check(path+"_test", files, false)
		if outside.errors > 0 && len(inside) > 0 {
			j.tested = map[string]*types.Package{path: inside[0].pkg}
			if other := j.check(path+"_test", files, false); other.errors < outside.errors {
				outside = other
			}
			j.tested = nil
		}
		j.judgeFiles(outside, files)
		units = append(units, outside)
	}
	return units
}

func (j *judge) parse(folder string, names []string) []*ast.File {
	var files []*ast.File
	for _, name := range names {
		file, _ := parser.ParseFile(j.fset, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if file != nil {
			files = append(files, file)
		}
	}
	return files
}

func (j *judge) check(path string, files []*ast.File, isForeign bool) *unit {
	u := &unit{files: files, info: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Instances: map[*ast.Ident]types.Instance{},
	}}
	config := types.Config{
		Importer: j, FakeImportC: true, IgnoreFuncBodies: isForeign,
		Error: func(error) { u.errors++ }, Sizes: types.SizesFor("gc", "amd64"),
	}
	u.pkg, _ = config.Check(path, j.fset, files, u.info)
	return u
}

func (j *judge) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if own, isTested := j.tested[path]; isTested {
		return own, nil
	}
	u, err := j.load(path)
	if err != nil {
		return nil, err
	}
	return u.pkg, nil
}

func (j *judge) load(path string) (*unit, error) {
	if known, isKnown := j.plain[path]; isKnown {
		if known == nil {
			return nil, &build.NoGoError{Dir: path}
		}
		return known, nil
	}
	j.plain[path] = nil
	folder, isOwn := j.folderOf(path)
	var listed *build.Package
	var err error
	if isOwn {
		listed, err = j.context.ImportDir(folder, 0)
	} else if listed, err = j.context.Import(path, j.root, 0); err != nil {
		listed, err = j.elsewhere(path)
	}
	if err != nil {
		return nil, err
	}
	tested := j.tested
	j.tested = nil
	u := j.check(path, j.parse(listed.Dir, listed.GoFiles), !isOwn)
	j.tested = tested
	j.plain[path] = u
	return u, nil
}

var version = regexp.MustCompile(`/v[0-9]+(/|$)`)

// A GOPATH has no folder for a major version, and the standard library brings packages along.
func (j *judge) elsewhere(path string) (*build.Package, error) {
	if unversioned := version.ReplaceAllString(path, "$1"); unversioned != path {
		return j.context.Import(unversioned, j.root, 0)
	}
	return j.context.ImportDir(filepath.Join(j.context.GOROOT, "src", "vendor", path), 0)
}

func (j *judge) folderOf(path string) (string, bool) {
	for prefix := path; prefix != "."; prefix = filepath.Dir(prefix) {
		if folder, isOwn := j.modules[prefix]; isOwn {
			return filepath.Join(j.root, folder, strings.TrimPrefix(path, prefix)), true
		}
	}
	return "", false
}

func (j *judge) importPath(folder string) string {
	best, path := -1, ""
	for prefix, own := range j.modules {
		rest, err := filepath.Rel(filepath.Join(j.root, own), folder)
		if err == nil && !strings.HasPrefix(rest, "..") && len(own) > best {
			best, path = len(own), filepath.Join(prefix, rest)
		}
	}
	return path
}

func (j *judge) relative(path string) string {
	short, err := filepath.Rel(j.root, path)
	check(err)
	return filepath.ToSlash(short)
}

// Lines and columns count from 0, columns in UTF-16 units.
func (j *judge) placeOf(pos token.Pos) (place, bool) {
	at := j.fset.PositionFor(pos, false)
	if !strings.HasPrefix(at.Filename, j.root+string(filepath.Separator)) {
		return place{}, false
	}
	lines, isRead := j.lines[at.Filename]
	if !isRead {
		bytes, err := os.ReadFile(at.Filename)
		check(err)
		lines = strings.Split(string(bytes), "\n")
		j.lines[at.Filename] = lines
	}
	before := lines[at.Line-1][:at.Column-1]
	column := len(before)
	if utf8.RuneCountInString(before) != column {
		column = len(utf16.Encode([]rune(before)))
	}
	return place{j.relative(at.Filename), at.Line - 1, column}, true
}

func (j *judge) print(is, kind string, name *ast.Ident) {
	if at, isOwn := j.placeOf(name.Pos()); isOwn && name.Name != "_" {
		check(j.out.Encode(line{Is: is, Kind: kind, Name: name.Name, File: at.File, Line: at.Line, Column: at.Column}))
	}
}

func (j *judge) judgeFiles(u *unit, files []*ast.File) {
	for _, file := range u.files {
		j.noteMembers(file)
	}
	for _, file := range files {
		at, _ := j.placeOf(file.Package)
		check(j.out.Encode(line{Is: "file", File: at.File}))
		j.noteClosures(u, file)
		j.definitions(u, file)
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				j.site(u, node.Fun, "call")
			case *ast.CompositeLit:
				if node.Type != nil {
					j.site(u, node.Type, "new")
				}
			}
			return true
		})
	}
}

// Fields and methods that stand in the body of a type with a name.
func (j *judge) noteMembers(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, isType := node.(*ast.TypeSpec); isType {
			for _, name := range membersOf(spec) {
				j.named[name.Pos()] = true
			}
		}
		return true
	})
}

func membersOf(spec *ast.TypeSpec) []*ast.Ident {
	var list *ast.FieldList
	switch body := spec.Type.(type) {
	case *ast.StructType:
		list = body.Fields
	case *ast.InterfaceType:
		list = body.Methods
	default:
		return nil
	}
	var names []*ast.Ident
	_, isStruct := spec.Type.(*ast.StructType)
	for _, field := range list.List {
		names = append(names, field.Names...)
		if len(field.Names) == 0 && isStruct {
			if name := calleeName(field.Type, nil); name != nil {
				names = append(names, name)
			}
		}
	}
	return names
}

func (j *judge) noteClosures(u *unit, file *ast.File) {
	bind := func(name ast.Expr, value ast.Expr) {
		id, isName := name.(*ast.Ident)
		if !isName || u.info.Defs[id] == nil {
			return
		}
		if _, isLiteral := value.(*ast.FuncLit); isLiteral {
			j.closures[u.info.Defs[id]] = true
		} else if from := calleeName(value, u.info); from != nil {
			if function, isFunction := u.info.Uses[from].(*types.Func); isFunction {
				j.holds[u.info.Defs[id]] = function
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.AssignStmt:
			if node.Tok == token.DEFINE && len(node.Lhs) == 1 && len(node.Rhs) == 1 {
				bind(node.Lhs[0], node.Rhs[0])
			}
		case *ast.ValueSpec:
			if len(node.Names) == 1 && len(node.Values) == 1 {
				bind(node.Names[0], node.Values[0])
			}
		}
		return true
	})
}

// What the index has to list, and the names of all other declarations, which it may list.
func (j *judge) definitions(u *unit, file *ast.File) {
	listed := map[*ast.Ident]bool{}
	list := func(kind string, names ...*ast.Ident) {
		for _, name := range names {
			listed[name] = true
			j.print("definition", kind, name)
		}
	}
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			list("function", declaration.Name)
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				if spec, isValue := spec.(*ast.ValueSpec); isValue {
					list("variable", spec.Names...)
				}
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, isType := node.(*ast.TypeSpec); isType {
			list("type", spec.Name)
			list("member", membersOf(spec)...)
		}
		return true
	})
	var rest []*ast.Ident
	for name, object := range u.info.Defs {
		if listed[name] || j.fset.File(name.Pos()) != j.fset.File(file.Pos()) {
			continue
		}
		if object != nil && j.closures[object] {
			j.print("definition", "function", name)
		} else {
			rest = append(rest, name)
		}
	}
	sort.Slice(rest, func(a, b int) bool { return rest[a].Pos() < rest[b].Pos() })
	for _, name := range rest {
		j.print("name", "", name)
	}
}

// The name of what is called, made or embedded; an element of a table has none.
func calleeName(node ast.Expr, info *types.Info) *ast.Ident {
	switch node := node.(type) {
	case *ast.Ident:
		return node
	case *ast.SelectorExpr:
		return node.Sel
	case *ast.ParenExpr:
		return calleeName(node.X, info)
	case *ast.StarExpr:
		if info == nil {
			return calleeName(node.X, info)
		}
	case *ast.IndexExpr:
		return instance(node.X, info)
	case *ast.IndexListExpr:
		return instance(node.X, info)
	}
	return nil
}

func instance(node ast.Expr, info *types.Info) *ast.Ident {
	name := calleeName(node, info)
	if name == nil || info == nil {
		return name
	}
	if _, isInstance := info.Instances[name]; isInstance {
		return name
	}
	return nil
}
