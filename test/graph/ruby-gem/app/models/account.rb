class Account < ApplicationRecord
  include AccountHelper
  has_many :entries
  before_save :tidy_name
  scope :open, -> { where(open: true) }

  def balance
    ledger = Tally::Ledger.load(rows)
    ledger.total.amount_given?
    show_balance(ledger)
    rows.freeze_all
    other.valid?
    Owner.for(self).notify_all
  end

  private

  def tidy_name
    self.name = Tally.tidy(name)
    Tally.config.reset
  end

  class Owner
    def self.for(account)
      new(account)
    end

    def initialize(account)
      @account = account
    end

    def notify_all
      @account.balance
      balance
      helper_width
    end
  end
end
