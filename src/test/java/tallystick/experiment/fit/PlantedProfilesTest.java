package tallystick.experiment.fit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.StepTimeProfile;

/**
 * Planted costs, found again, and latencies of settings never fitted on. {@code -Dtwins=N} plays N
 * profiles, {@code -Dtwin.seed=S} others.
 */
@Tag("stress")
class PlantedProfilesTest {
  private static final int PROFILES = Integer.getInteger("twins", 5);
  private static final long SEED = Long.getLong("twin.seed", 11);
  private static final PlantedEngine.Mix FITTED = new PlantedEngine.Mix(300, 16, 3000, 80);

  @TempDir private Path folder;

  private int known;
  private int wrong;
  private int covered;
  private int intervals;
  private int cells;
  private int close;
  private int held;
  private int bounded;
  private double widths;

  /** Settings never fitted on. */
  private record Setting(PlantedEngine.Mix mix, double load, Map<String, String> flags) {}

  private static final List<Setting> UNSEEN =
      List.of(
          new Setting(
              new PlantedEngine.Mix(400, 400, 1200, 60), 0.5, Map.of("max-num-seqs", "16")),
          new Setting(
              new PlantedEngine.Mix(400, 50, 800, 100), 0.6,
              Map.of("max-num-batched-tokens", "512")),
          new Setting(new PlantedEngine.Mix(400, 20, 200, 150), 0.75, Map.of()));

  @Test
  void costsAreFoundOrNamedAndUnseenSettingsArePredicted() throws IOException {
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < PROFILES; i++) {
      one(PlantedEngine.drawn(random), random.nextLong());
    }
    String account =
        String.format(
            Locale.ROOT,
            "%d profiles: %d costs known, %d of them off by more than 10 %%; "
                + "%d of %d intervals hold the truth; %d of %d cells within 10 %%; "
                + "%d of %d P95s in their 90 %% intervals, which are %.1f %% wide on average",
            PROFILES, known, wrong, covered, intervals, close, cells, held, bounded,
            100 * widths / bounded);
    System.out.println(account);
    assertThat(wrong).as(account).isLessThanOrEqualTo(known / 20);
    assertThat(covered).as(account).isGreaterThanOrEqualTo((int) (0.8 * intervals));
    assertThat(close).as(account).isGreaterThanOrEqualTo((int) (0.9 * cells));
    assertThat(held).as(account).isGreaterThanOrEqualTo((int) (0.8 * bounded));
  }

  private void one(StepTimeProfile truth, long seed) throws IOException {
    PlantedEngine engine = new PlantedEngine(truth, seed);
    ProfileFitting fitting = new ProfileFitting();
    double full = engine.fullRate(FITTED);
    for (double load : new double[] {0.01, 0.3, 0.6, 0.8}) {
      fitting.add(engine.play(FITTED.at(load * full, seed + 1), Map.of()), 2048);
    }
    FittedProfile found = fitting.fit("planted").orElseThrow();
    List<PlantedEngine> possible = new ArrayList<>();
    for (FittedProfile one : fitting.possible(found).engines()) {
      Path file = Files.writeString(folder.resolve("one.properties"), one.text());
      possible.add(new PlantedEngine(PlantedEngine.ofFile(file), ~seed + 1 + possible.size()));
    }
    Path file = Files.writeString(folder.resolve("p.properties"), found.text());
    PlantedEngine twin = new PlantedEngine(PlantedEngine.ofFile(file), ~seed);
    for (FittedCost cost : found.costs()) {
      compare(cost, PlantedEngine.truth(truth, cost.cost()));
    }
    for (Setting setting : UNSEEN) {
      compare(setting, engine, new Twin(twin, possible), seed + 7);
    }
  }

  private void compare(FittedCost cost, double truth) {
    intervals++;
    boolean isIn = cost.low() <= truth * 1.001 && truth <= cost.high() * 1.001;
    covered += isIn ? 1 : 0;
    boolean isKnown = cost.standing() == FittedCost.Standing.KNOWN;
    boolean isOff = isKnown && Math.abs(cost.micros() / truth - 1) > 0.1;
    known += isKnown ? 1 : 0;
    wrong += isOff ? 1 : 0;
    if (isOff || !isIn || Boolean.getBoolean("twin.words")) {
      System.out.printf("%s %s truth %.4g%n", isOff ? "OFF" : isIn ? "ok" : "out", cost, truth);
    }
  }

  /** The engine that fits best, and those that are possible. */
  private record Twin(PlantedEngine best, List<PlantedEngine> possible) {
    Prediction.Played play(List<RequestRow> rows, Map<String, String> flags) {
      return new Prediction.Played(
          List.of(best.play(rows, flags)), List.of(),
          possible.stream().map(one -> one.play(rows, flags)).toList(), "none");
    }
  }

  private void compare(Setting setting, PlantedEngine engine, Twin twin, long seed) {
    double rate = setting.load() * engine.fullRate(setting.mix());
    List<RequestRow> rows = setting.mix().at(rate, seed);
    List<Prediction> predictions =
        Prediction.of(engine.play(rows, setting.flags()), twin.play(rows, setting.flags()));
    for (Prediction one : predictions) {
      if (one.quantity().endsWith("P95")) {
        count(one.quantity(), setting, one.off());
        bounded++;
        held += one.isHeld() ? 1 : 0;
        widths += one.high().orNaN() / one.low().orNaN() - 1;
      }
    }
    double limit = 4 * predictions.getFirst().measured();
    double real = engine.capacity(setting.mix(), setting.flags(), limit, seed);
    double said = twin.best().capacity(setting.mix(), setting.flags(), limit, seed);
    count("capacity", setting, said / real - 1);
  }

  private void count(String what, Setting setting, double off) {
    cells++;
    close += Math.abs(off) <= 0.1 ? 1 : 0;
    if (!(Math.abs(off) <= 0.1)) {
      System.out.printf("CELL %s %s %+.1f %%%n", what, setting, 100 * off);
    }
  }
}
