package tallystick.runrecord;

import java.util.List;

/** What the harness noted of itself; one line of {@code harness.ndjson}. Times as in RequestRow. */
public sealed interface HarnessRow {

  /** When it was noted, nanoseconds after the run's origin. */
  long atNanos();

  /** The same note on a clock whose origin lies so much earlier. */
  default HarnessRow shifted(long nanos) {
    long at = atNanos() + nanos;
    return switch (this) {
      case Mark mark -> new Mark(at, mark.kind(), mark.detail());
      case Progress so -> new Progress(at, so.sent(), so.inFlight(), so.ok(), so.failed());
      case GcPause pause -> new GcPause(at, pause.pauseNanos(), pause.cause());
      case Stall stall -> new Stall(at, stall.stallNanos());
      case WakeUps wakeUps -> new WakeUps(at, wakeUps.everyNanos(), wakeUps.lateNanos());
      case Cpu cpu -> new Cpu(at, cpu.processCores(), cpu.machineCores());
      case Dropped dropped -> new Dropped(at, dropped.rows(), dropped.file());
      case Scaling move -> new Scaling(at, move.target(), move.move());
    };
  }

  /**
   * A step of the run's protocol.
   *
   * @param kind which step
   * @param detail what a reader should know; may be empty
   */
  record Mark(long atNanos, Kind kind, String detail) implements HarnessRow {
    /** The steps, in the order of a whole run. */
    public enum Kind {
      /** The client had played against itself; detail tells how fast it had become. */
      REHEARSED,
      /** The engine was idle before the warm-up; at = start of that scrape. */
      QUIET_BEFORE_WARMUP,
      /** How made-up prompts are written from here on; detail says why. */
      PROMPTS_SETTLED,
      /** Origin of the warm-up's intended starts. */
      WARMUP_ORIGIN,
      /** The engine was idle before the window; at = start of that scrape, S0 of the ledger. */
      QUIET_BEFORE_WINDOW,
      /** Origin of the measured window's intended starts. */
      WINDOW_ORIGIN,
      /** The last measured request had ended. */
      WINDOW_DRAINED,
      /** HTTP/2 had been offered; detail counts the window's answers by what was spoken. */
      HTTP_VERSIONS,
      /** The engine was idle after the window; at = start of that scrape, S1 of the ledger. */
      QUIET_AFTER_WINDOW,
      /** The engine did not become idle in time; detail names what moved. */
      NOT_QUIET,
      /** Counters stood still but gauges did not return to zero. */
      STALE_GAUGE,
      /** A target showed more series than a record holds of one; detail names it. */
      SERIES_LEFT_OUT,
      /** The list of targets could not be read: the one before holds on; detail says why. */
      TARGETS_UNREAD,
      /** The receiver of traces was closed; detail counts what it took and what it refused. */
      TRACES_CLOSED,
      /** The run was told to stop early; detail says by whom and why. */
      STOPPED
    }
  }

  /**
   * Counts so far in the measured window, noted each second, so that a killed run knows its loss.
   *
   * @param sent requests started
   * @param inFlight started and not ended
   * @param ok ended well
   * @param failed ended otherwise
   */
  record Progress(long atNanos, long sent, long inFlight, long ok, long failed)
      implements HarnessRow {}

  /**
   * A garbage collection that stopped the load process.
   *
   * @param pauseNanos its length
   * @param cause the collector's words
   */
  record GcPause(long atNanos, long pauseNanos, String cause) implements HarnessRow {}

  /**
   * A time in which the load process did not run although it asked to.
   *
   * @param stallNanos how much later than asked the stall detector woke
   */
  record Stall(long atNanos, long stallNanos) implements HarnessRow {}

  /**
   * How late a thread of the load process woke that asks to be woken again and again: what a
   * stamp suffers whose thread waits for a core. Sleeps of the second before, in their order.
   *
   * @param everyNanos how long each sleep was to be
   * @param lateNanos by how much each was longer
   */
  record WakeUps(long atNanos, long everyNanos, List<Long> lateNanos) implements HarnessRow {
    /** Copies the list. */
    public WakeUps {
      lateNanos = List.copyOf(lateNanos);
    }
  }

  /**
   * CPU use over the second before.
   *
   * @param processCores cores used by the load process
   * @param machineCores cores used by everything on the machine; NaN where not known
   */
  record Cpu(long atNanos, double processCores, double machineCores) implements HarnessRow {}

  /**
   * Rows that were lost because a queue to the record was full; any makes the run invalid.
   *
   * @param rows how many since the last such line
   * @param file which file they were for
   */
  record Dropped(long atNanos, long rows, String file) implements HarnessRow {}

  /**
   * A target that came or went while the run lasted, when the list of targets was read.
   *
   * @param target index into the manifest's targets
   */
  record Scaling(long atNanos, int target, Move move) implements HarnessRow {
    /** What it did. */
    public enum Move {
      /** It stands in the list and did not before: it is scraped from here on. */
      JOINED,
      /** It stands in the list no more: it is scraped once more and then left. */
      LEFT
    }
  }
}
