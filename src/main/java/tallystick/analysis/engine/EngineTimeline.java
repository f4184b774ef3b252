package tallystick.analysis.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tallystick.analysis.result.Timeline;

/** The engine's figures per scrape, as tracks. */
public final class EngineTimeline {
  private EngineTimeline() {}

  /** The tracks of every target and engine. */
  public static List<Timeline.Track> tracks(EngineReading reading) {
    List<Timeline.Track> tracks = new ArrayList<>();
    reading.engines().forEach(engine -> add(tracks, engine.name(), engine.table()));
    return tracks;
  }

  private static void add(List<Timeline.Track> tracks, String owner, ScrapeColumns table) {
    addPlain(tracks, owner, table, EngineColumns.RUNNING, "requests");
    addPlain(tracks, owner, table, EngineColumns.WAITING, "requests");
    addPlain(tracks, owner, table, EngineColumns.KV_USAGE, "ratio");
    addPlain(tracks, owner, table, EngineColumns.PREEMPTIONS, "count");
    addRate(tracks, owner, table, EngineColumns.GENERATION_TOKENS);
    addRate(tracks, owner, table, EngineColumns.PROMPT_TOKENS);
  }

  private static void addPlain(
      List<Timeline.Track> tracks, String owner, ScrapeColumns table, String name, String unit) {
    if (table.has(name)) {
      tracks.add(new Timeline.Track(name, unit, owner, table.seconds(), table.values(name)));
    }
  }

  /** Growth since the good scrape before over the time since; a hole stays a hole. */
  private static void addRate(
      List<Timeline.Track> tracks, String owner, ScrapeColumns table, String name) {
    if (!table.has(name)) {
      return;
    }
    double[] seconds = table.seconds();
    double[] growth = table.values(name);
    double[] rates = new double[seconds.length];
    Arrays.fill(rates, Double.NaN);
    int previous = -1;
    for (int i = 0; i < seconds.length; i++) {
      if (previous >= 0 && seconds[i] > seconds[previous]) {
        rates[i] = growth[i] / (seconds[i] - seconds[previous]);
      }
      if (!Double.isNaN(growth[i])) {
        previous = i;
      }
    }
    tracks.add(new Timeline.Track(name + "_per_second", "tokens/s", owner, seconds, rates));
  }
}
