package tallystick.analysis.exporters;

/** How often something brought a new value, over the good scrapes that showed it. */
final class ReadingPace {
  private long changedNanos;
  private double value;
  private int moves;
  private long stillNanos;
  private long stillFromNanos;
  private long stillToNanos;
  private long gapNanos;
  private long seenNanos;

  /** Begins with the value at the first scrape. */
  ReadingPace(long atNanos, double value) {
    this.changedNanos = atNanos;
    this.value = value;
    this.stillFromNanos = atNanos;
    this.stillToNanos = atNanos;
    this.seenNanos = atNanos;
  }

  /** Takes the value of the next scrape. */
  void next(long atNanos, double newValue) {
    seenNanos = atNanos;
    gapNanos = Math.max(gapNanos, atNanos - changedNanos);
    if (newValue != value) {
      value = newValue;
      changedNanos = atNanos;
      moves++;
    } else if (atNanos - changedNanos > stillNanos) {
      stillNanos = atNanos - changedNanos;
      stillFromNanos = changedNanos;
      stillToNanos = atNanos;
    }
  }

  /** How often the value was another one than at the scrape before. */
  int moves() {
    return moves;
  }

  /** Longest time for which scrape after scrape showed one value; failed scrapes are no proof. */
  double stillSeconds() {
    return stillNanos / 1e9;
  }

  /** When that time began. */
  long stillFromNanos() {
    return stillFromNanos;
  }

  /** The last scrape of that time. */
  long stillToNanos() {
    return stillToNanos;
  }

  /** The last scrape that showed it. */
  long seenNanos() {
    return seenNanos;
  }

  /** Longest time without a new value, for whatever reason. */
  double gapSeconds() {
    return gapNanos / 1e9;
  }
}
