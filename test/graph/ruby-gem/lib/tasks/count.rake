require 'tally'

def count_all(ledger)
  ledger.entries.each { |entry| entry.check! }
  Tally.count(ledger)
end
