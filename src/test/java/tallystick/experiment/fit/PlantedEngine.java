package tallystick.experiment.fit;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.RequestRow;
import tallystick.simengine.EngineSettings;
import tallystick.simengine.StepTimeProfile;
import tallystick.virtualrun.VirtualReplay;

/** An engine whose costs are known, played in virtual time without a record. */
final class PlantedEngine {
  static final long WAY_NANOS = 100_000;
  private static final Map<String, String> ROOMY =
      Map.of("num-gpu-blocks-override", "20000", "max-num-seqs", "64");

  private final StepTimeProfile profile;
  private final long seed;

  PlantedEngine(StepTimeProfile profile, long seed) {
    this.profile = profile;
    this.seed = seed;
  }

  /** Costs of the right order for anything from a small model on a CPU to a large one on a GPU. */
  static StepTimeProfile drawn(SplittableRandom random) {
    return new StepTimeProfile(
        "planted",
        logUniform(random, 1e6, 12e6),
        logUniform(random, 5e3, 80e3),
        random.nextInt(3) == 0 ? 0 : logUniform(random, 2, 20),
        logUniform(random, 10e3, 100e3),
        logUniform(random, 20, 300),
        new StepTimeProfile.ApiServerTime(
            logUniform(random, 1e5, 1e6), logUniform(random, 1e5, 1e6),
            random.nextInt(3) == 0 ? 0 : logUniform(random, 2e3, 2e4),
            true),
        random.nextBoolean() ? 0 : logUniform(random, 1e5, 2e6),
        new StepTimeProfile.Noise(
            logUniform(random, 0.02, 0.25),
            random.nextBoolean() ? 0 : logUniform(random, 0.05, 0.4)));
  }

  static StepTimeProfile ofFile(Path file) {
    return StepTimeProfile.named(file.toString());
  }

  /** The true value of a cost, in microseconds. */
  static double truth(StepTimeProfile profile, StepCostTerm cost) {
    return switch (cost) {
          case STEP -> profile.baseNanos();
          case PREFILL_TOKEN -> profile.prefillTokenNanos();
          case PREFILL_PAIR -> profile.prefillPairNanos();
          case DECODE_SEQUENCE -> profile.decodeSequenceNanos();
          case KV_TOKEN -> profile.kvTokenNanos();
          case REQUEST -> profile.apiServer().parseNanos() + profile.apiServer().submitNanos();
          case WAKE -> profile.wakeNanos();
          case OUTPUT -> profile.apiServer().outputNanos();
        } / 1000;
  }

  /**
   * Requests of one kind.
   *
   * @param count how many
   * @param shortest prompt
   * @param longest prompt; lengths between are equally likely on a logarithmic scale
   * @param answer mean of the answers' lengths
   */
  record Mix(int count, int shortest, int longest, int answer) {
    /** Poisson arrivals. */
    List<RequestRow> at(double rate, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      List<RequestRow> rows = new ArrayList<>();
      double nanos = 1e9;
      for (int i = 0; i < count; i++) {
        nanos -= 1e9 / rate * Math.log(1 - random.nextDouble());
        int prompt = (int) logUniform(random, shortest, longest);
        int tokens = answer / 2 + random.nextInt(answer);
        rows.add(request(i, Math.round(nanos), prompt, Math.max(1, tokens)));
      }
      return rows;
    }
  }

  static RequestRow request(int index, long started, int prompt, int answer) {
    return request(index, index, started, prompt, answer);
  }

  static RequestRow request(int index, int user, long started, int prompt, int answer) {
    return new RequestRow(
        index, "measure", "default", user, 0, "r" + index, prompt, answer,
        new RequestRow.Times(started, started, -1, -1, started, started, started, started, -1),
        RequestRow.Chunks.NONE,
        new RequestRow.Usage(prompt, answer, 0),
        new RequestRow.Ending(Outcome.OK, 200, "length", ""),
        RequestRow.EngineTimings.NONE);
  }

  /** The rate at which 64 streams of such requests would keep it busy. */
  double fullRate(Mix mix) {
    double prompt = Math.sqrt((double) mix.shortest() * mix.longest());
    double step =
        profile.baseNanos()
            + 64 * profile.decodeSequenceNanos()
            + 64 * (prompt + mix.answer() / 2.0) * profile.kvTokenNanos();
    double prefill =
        1.4 * prompt * profile.prefillTokenNanos() + prompt * prompt * profile.prefillPairNanos();
    return 1e9 / (mix.answer() * step / 64 + prefill);
  }

  List<RequestRow> play(List<RequestRow> rows, Map<String, String> flags) {
    Map<String, String> all = new HashMap<>(ROOMY);
    all.putAll(flags);
    all.put("seed", Long.toString(seed));
    return VirtualReplay.of(rows, EngineSettings.ofFlags(all).with(profile), WAY_NANOS);
  }

  /** The largest rate at which P95 TTFT stays below a limit, by bisection. */
  double capacity(Mix mix, Map<String, String> flags, double limitSeconds, long loadSeed) {
    double low = 0;
    double high = 2 * fullRate(mix);
    ToDoubleFunction<Double> ttft =
        rate -> {
          List<RequestRow> rows = mix.at(rate, loadSeed);
          return Prediction.of(
                  rows,
                  new Prediction.Played(List.of(play(rows, flags)), List.of(), List.of(), ""))
              .get(1)
              .predicted();
        };
    for (int i = 0; i < 9; i++) {
      double middle = (low + high) / 2;
      if (ttft.applyAsDouble(middle) <= limitSeconds) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static double logUniform(SplittableRandom random, double low, double high) {
    return low * Math.pow(high / low, random.nextDouble());
  }
}
