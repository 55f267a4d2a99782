module AccountHelper
  def show_balance(ledger)
    pad(ledger.to_s, helper_width)
  end

  def helper_width
    80
  end

  def pad(text, width)
    text.ljust(width)
  end
end
