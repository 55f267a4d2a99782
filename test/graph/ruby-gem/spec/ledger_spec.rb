require 'spec_helper'
require 'tally'

RSpec.describe Tally::Ledger do
  let(:ledger) { described_class.new }

  def entry(amount)
    Tally::Entry.new(amount)
  end

  it 'adds' do
    ledger << entry(3)
    expect(entry(2).checked.split(2)).to be_valid
    Tally::Entry::Part.new(entry(1), 2).valid?
    Tally::Entry.find_all_of(:plain)
  end
end
