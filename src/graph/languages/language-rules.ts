import type { FileFacts, FileFlag } from '../model/facts.ts';
import type { Located, World } from '../resolve/world.ts';
import { NO_BUILT_INS } from './built-ins.ts';
import type { BuiltIns } from './built-ins.ts';
import type { ModuleFinder } from './module-finder.ts';

/** In what languages differ when names and members are looked up. The `resolution.ts` of a language says it for that one. */
export interface LanguageRules {
  /** Languages whose files can use each other's definitions have the same. */
  readonly family: string;
  readonly builtIns: BuiltIns;
  readonly modules: ModuleFinder;

  /** Whether imports include all that another file has, and what it includes itself, so that names are shared by all. */
  readonly includesFiles: boolean;
  /** Whether all files of a directory share one scope, or all of a package wherever they lie. */
  readonly sharesDirectory: boolean | 'package';
  /** Whether members of the class around are in scope without `this`. */
  readonly impliesThis: boolean;
  /** Whether what is not exported belongs to its file; elsewhere neighbours reach it all the same. */
  readonly hidesUnexported: boolean;
  /** Whether all that a file defines or imports can be imported from it. */
  readonly exportsAll: boolean;
  /** Whether what a file imports can be reached through it. */
  readonly passesImportsOn: boolean;
  /** Whether what classes contain is imported by its own name. */
  readonly importsNested: boolean;
  /** Whether the default import of a module that has none is the module. */
  readonly defaultIsModule: boolean;
  /** Whether `import a.b` binds `a`, from which `b` is reached as a member. */
  readonly bindsTopPackage: boolean;
  /** Whether a package goes by the name that its files say, which need not be the last part of its path. */
  readonly namesPackages: boolean;
  /** Whether names that nothing else explains may come from a namespace that is in use. */
  readonly usesNamespaces: boolean;
  /** Names that mean something outside whatever the project adds to them. */
  readonly outsideNames: ReadonlySet<string>;
  /** Whether a function is there for all, wherever it is defined. */
  readonly functionsAreGlobal: boolean;
  /** Whether a name is seen in the whole project. */
  isGlobal(name: string): boolean;
  /** Whether a name without a receiver may be a method that the object has from anywhere. */
  isMethodName(name: string): boolean;

  /** Whether static members belong to the class alone and others to its objects alone. */
  readonly separatesStatic: boolean;
  /** Whether methods have names of their own, apart from those of fields and variables, and one each by their parameters. */
  readonly methodsApart: boolean;
  /**
   * Where they differ by the types of their parameters: how well an argument of one type suits another, of those that the
   * project does not define. 1 for the same, undefined where it cannot be meant. No name stands for a type of the project.
   */
  readonly suits: ((given: string, wanted: string, isHeld?: boolean) => number | undefined) | undefined;
  /** Whether functions differ by how many arguments they take. */
  readonly hasOverloads: boolean;
  /** Whether members may be written apart from their type (`adds`), and whether such a method overrides one of a base. */
  readonly addsMembers: boolean | 'overriding';
  /** Where a method replaces that of a base only if one of them says so: the signature of one that does. */
  readonly virtual: RegExp | undefined;
  /** Whether classes and modules can be opened in any file again. */
  readonly opensClasses: boolean;
  /** Whether a module is an object, whose methods speak of it as `this`. */
  readonly modulesAreObjects: boolean;
  /** Whether an interface has methods of its own. */
  readonly interfacesAreObjects: boolean;
  /** Whether a method of a trait can be called where the trait is in scope, on any type. */
  readonly traitsInScope: boolean;
  /** Whether a member that is called may be a field that holds a function. */
  readonly fieldsHoldFunctions: boolean;
  /** Whether a field can stand in for a method of a base. */
  readonly fieldsOverride: boolean;
  /** Whether calling a type turns a value into one of that type. */
  readonly callsConvert: boolean;
  /** Names of what runs when an object is made. */
  readonly constructors: readonly string[];
  /** Name of what makes an object of the class that is its first argument. */
  readonly allocator: string | undefined;
  /** Name of the member that is the class of an object. */
  readonly classMember: string | undefined;
  /** Name of what runs when an object is called. */
  readonly callMember: string;
  /** Names of what gives the iterator of an object, and of what enters it. */
  readonly iterators: readonly string[];
  readonly enters: readonly string[];
  /** What a literal list is. */
  readonly list: string;
  /** What an asynchronous function returns; `isDeclared` when its declared type says so already. */
  readonly promise: { readonly name: string; readonly isDeclared: boolean };
  readonly generator: string;

  /** Where a declaration is defined; the declaration itself when that is not known. */
  definitionOf(world: World, declared: Located): Located;
  /** The definitions of one thing for several builds, of which each has one; undefined when they are not of that sort. */
  variantsFor(from: FileFacts, targets: readonly Located[]): readonly Located[] | undefined;
  /** A module inside the one that a file is. */
  submodule(world: World, file: FileFacts, name: string): FileFacts | undefined;
  /** The path of a name inside a module, and when it is looked for: where the module is no file, or lacks the name. */
  readonly innerModule:
    | { readonly when: 'no-file' | 'no-name'; pathOf(module: string, name: string): string }
    | undefined;
  /** The parent and the name of what a path stands for that need not be a file; undefined for a path of one part. */
  splitPath(module: string): readonly [parent: string, name: string] | undefined;
  /** What a package has of a name, where packages are more than files. */
  readonly packageMembers: ((world: World, inPackage: string, name: string) => readonly Located[]) | undefined;
  /** Whether an import of all names brings this one. */
  starOffers(file: FileFacts, name: string): boolean;
  /** What manifests say that a file is there for; `isProduction` where its place says nothing. */
  roleOf(world: World, path: string, isProduction: boolean): FileFlag | undefined;
  /** The file that declares further names of a file. */
  readonly declarations: ((world: World, file: FileFacts) => FileFacts | undefined) | undefined;
}

/** What holds unless a language says otherwise. */
export const COMMON: Omit<LanguageRules, 'family'> = {
  builtIns: NO_BUILT_INS,
  modules: { find: () => 'outside' },
  includesFiles: false,
  sharesDirectory: false,
  impliesThis: false,
  hidesUnexported: false,
  exportsAll: false,
  passesImportsOn: false,
  importsNested: false,
  defaultIsModule: false,
  bindsTopPackage: false,
  namesPackages: false,
  usesNamespaces: false,
  outsideNames: new Set(),
  functionsAreGlobal: false,
  isGlobal: () => false,
  isMethodName: () => false,
  separatesStatic: false,
  methodsApart: false,
  suits: undefined,
  hasOverloads: false,
  addsMembers: false,
  virtual: undefined,
  opensClasses: false,
  modulesAreObjects: false,
  interfacesAreObjects: false,
  traitsInScope: false,
  fieldsHoldFunctions: false,
  fieldsOverride: false,
  callsConvert: false,
  constructors: [],
  allocator: undefined,
  classMember: undefined,
  callMember: '()',
  iterators: [],
  enters: [],
  list: '[]',
  promise: { name: '', isDeclared: true },
  generator: '',
  definitionOf: (_, declared) => declared,
  variantsFor: () => undefined,
  submodule: () => undefined,
  innerModule: undefined,
  splitPath: () => undefined,
  packageMembers: undefined,
  starOffers: () => true,
  roleOf: () => undefined,
  declarations: undefined,
};
