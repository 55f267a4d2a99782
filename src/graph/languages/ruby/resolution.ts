import { COMMON } from '../language-rules.ts';
import type { LanguageRules } from '../language-rules.ts';
import { ruby as modules } from './module-finder.ts';
import { collectBuiltIns } from '../built-ins.ts';
import { declareBuiltIns } from '../declare-built-ins.ts';

/** Classes and modules of the language and what every object can be asked to do. */
const NAMES = `
ARGF ARGV ArgumentError Array BasicObject Binding Class Comparable Complex Dir ENV Encoding EncodingError Enumerable
Enumerator EOFError Errno Exception FalseClass Fiber File FileTest Float FloatDomainError FrozenError GC Hash IO IOError
IndexError Integer Interrupt JSON Kernel KeyError LoadError LocalJumpError Marshal MatchData Math Method Module Mutex
NameError NilClass NoMethodError NotImplementedError Numeric Object ObjectSpace Proc Process Queue RUBY_ENGINE
RUBY_PLATFORM RUBY_VERSION Random Range RangeError Rational Regexp RegexpError RubyVM RuntimeError STDERR STDIN STDOUT
ScriptError SecurityError Set Signal SignalException StandardError StopIteration String Struct Symbol SyntaxError
SystemCallError SystemExit SystemStackError Thread ThreadError Time TracePoint TrueClass TypeError UnboundMethod
ZeroDivisionError
`;

const MEMBERS = `
& * + - / < << <= <=> == === > >= [] []= abs add all? any? append apply at backtrace between? bind blank? body build bytes
bytesize call capitalize captures casecmp ceil center chars chmod chomp chop chr chunk class clear clone close closed?
code collect compact compare concat config connect content convert copy count create cycle data default define delete
delete_at delete_if detect dig directory? display divmod downcase drop dump dup each each_char each_cons each_entry
each_key each_line each_pair each_slice each_value each_with_index each_with_object empty? encode encoding end end_with?
entries eql? equal? error even? exclude? execute exist? exists? expand_path extend extname fetch fetch_values file? fill
filter filter_map finalize find find_all find_index finish first flat_map flatten floor flush force_encoding format freeze
frozen? full_message get gets group_by gsub gsub! handle has_key? has_value? hash header headers hex host html_safe id
include? index info init inject insert inspect instance_eval instance_of? instance_variable_get instance_variable_set
intern invert is_a? items join keep_if key key? keys kind_of? kill lambda? last length level lines ljust load lock log
log_error lstrip map map! match match? max max_by member? members merge merge! message method methods min min_by minmax
mkdir_p mode mtime name new next nil? none? notify nobody object_id odd? on one? open options ord pack params parse
partition path perform pop port pos prepend present? pred print process product public_send push puts rand read readline
readlines reduce register reject reject! remove rename render replace request rescue reset resolve respond_to? response
reverse reverse_each rewind rindex rjust rotate round rstrip run sample save scan search seek select select! send set
setup shift shuffle shutdown size skip sleep slice slice! sort sort! sort_by source split squeeze stack start
start_with? state status step stop store string strip sub sub! subject succ sum swapcase symbolize_keys sync synchronize
system tag take take_while tally tap target test text then times title to_a to_ary to_c to_f to_h to_hash to_i to_int
to_json to_path to_proc to_r to_s to_str to_sym transform_keys transform_values transpose tr truncate type union uniq
uniq! unpack unshift upcase update upto url user valid? validate value value? values values_at version visit wait warn
when with yield zero? zip
`;

const rubyBuiltIns = collectBuiltIns(declareBuiltIns('ruby', 'Array', ''), NAMES, MEMBERS);

export const ruby: LanguageRules = {
  ...COMMON,
  family: 'ruby',
  builtIns: rubyBuiltIns,
  modules,
  includesFiles: true,
  impliesThis: true,
  // Methods are those of the object alone, constants those of all that is around.
  isMethodName: (name) => !/^\p{Lu}/u.test(name),
  separatesStatic: true,
  addsMembers: true,
  opensClasses: true,
  modulesAreObjects: true,
  constructors: ['initialize'],
  list: 'Array',
};
