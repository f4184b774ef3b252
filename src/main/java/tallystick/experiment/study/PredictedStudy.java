package tallystick.experiment.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tallystick.answer.Block;
import tallystick.answer.Column;
import tallystick.experiment.ExperimentLoop;
import tallystick.experiment.RateFormat;
import tallystick.experiment.Site;
import tallystick.experiment.TestBed;
import tallystick.experiment.study.StudyResult.StepReading;
import tallystick.scenario.Formatted;

/**
 * What a profile of the engine says of a study, in virtual time. All of it is simulated, and no
 * threshold rests on it: it only tells where the short runs of each mix begin.
 *
 * @param capacities by mix, as short runs found them on the simulated engine
 * @param runs what the simulated engine shows under the load of the measured runs, without the
 *     short ones; empty until then
 */
record PredictedStudy(Map<String, Double> capacities, List<StudyResult> runs) {
  /** A profile that is fitted well is not farther off. */
  private static final double ERROR = 0.1;

  private static final String NO_OVERLOAD = "n/a (no step overloaded the engine on either side)";

  PredictedStudy {
    capacities = new TreeMap<>(capacities);
    runs = List.copyOf(runs);
  }

  /**
   * Plays the short runs of a study on a simulated engine; empty if somebody stopped it.
   *
   * @throws IOException if the disk fails
   */
  static Optional<PredictedStudy> of(
      StudySearch search, StudyPlayer player, TestBed predictor, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.<StudyRun, StudyResult>rehearse(
            done ->
                search.next(done, List.of()) instanceof StudySearch.Next.Play(StudyRun run)
                        && run.isScout()
                    ? Optional.of(run)
                    : Optional.empty(),
            run -> player.predict(run, predictor, site.folder()), site)
        .map(done -> new PredictedStudy(search.found(done), List.of()));
  }

  /**
   * The same with what the simulated engine shows under the load of these runs; empty if somebody
   * stopped it.
   */
  Optional<PredictedStudy> beside(
      List<StudyResult> measured, StudyPlayer player, TestBed predictor, Site site)
      throws IOException, InterruptedException {
    return ExperimentLoop.<StudyRun, StudyResult>rehearse(
            measured.stream().map(StudyResult::run).toList(),
            run -> player.predict(run, predictor, site.folder()), site)
        .map(all -> new PredictedStudy(capacities, all));
  }

  /** One step as the simulated engine bore it, beside the same step as it was measured. */
  record Beside(int run, String mix, StepReading predicted, StepReading measured) {
    boolean isWithin() {
      return Math.abs(predicted.goodShare() - measured.goodShare()) <= ERROR;
    }

    /** What two engines that kept up completed is the rate that was offered, and tells nothing. */
    boolean isDrowned() {
      return predicted.drowned() || measured.drowned();
    }

    double off() {
      double there = measured.completedPerSecond();
      return there > 0 ? Math.abs(predicted.completedPerSecond() / there - 1) : 0;
    }

    /** One that kept up might have completed more than it was offered. */
    String offWords() {
      boolean isWhole = predicted.drowned() && measured.drowned();
      return Formatted.of(
          ": the profile is off by %s%.0f %%", isWhole ? "" : "at least ", 100 * off());
    }

    String rates() {
      return "predicted " + RateFormat.text(predicted.completedPerSecond()) + ", measured "
          + RateFormat.text(measured.completedPerSecond());
    }

    private Block.Row row() {
      return Block.Row.words(
          "" + run, mix, measured.step().name(), RateFormat.text(measured.step().perSecond()),
          percent(predicted), percent(measured), RateFormat.text(predicted.completedPerSecond()),
          RateFormat.text(measured.completedPerSecond()));
    }

    private static String percent(StepReading reading) {
      return Formatted.of("%.1f %%", 100 * reading.goodShare());
    }
  }

  /** Every step that was measured, beside its prediction. */
  List<Beside> beside(List<StudyResult> measured) {
    List<Beside> all = new ArrayList<>();
    for (StudyResult here : runs) {
      measured.stream()
          .filter(one -> one.trusted() && one.run().equals(here.run()))
          .filter(one -> one.readings().size() == here.readings().size())
          .findFirst()
          .ifPresent(
              there -> {
                for (int i = 0; i < here.readings().size(); i++) {
                  all.add(
                      new Beside(
                          here.run().number(), here.run().mix(), here.readings().get(i),
                          there.readings().get(i)));
                }
              });
    }
    return all;
  }

  /** What a reader of the answer must know of it. */
  String words(List<StudyResult> measured) {
    List<Beside> all = beside(measured);
    if (all.isEmpty()) {
      return "nothing measured to compare the profile with";
    }
    List<String> mixes =
        runs.stream().map(one -> one.run().mix()).distinct().toList();
    List<Beside> compared = new ArrayList<>();
    List<String> rates = new ArrayList<>();
    for (String mix : mixes) {
      Optional<Beside> drowned =
          all.stream()
              .filter(one -> one.mix().equals(mix) && one.isDrowned())
              .reduce((earlier, later) -> later);
      rates.add("mix " + mix + ": " + drowned.map(Beside::rates).orElse(NO_OVERLOAD));
      drowned.ifPresent(compared::add);
    }
    return Formatted.of(
        "completed/s in overload (simulated): %s%s; good share within 10 points in"
            + " %d of %d steps",
        String.join("; ", rates),
        compared.stream()
            .max(Comparator.comparingDouble(Beside::off))
            .filter(worst -> worst.off() > ERROR)
            .map(Beside::offWords)
            .orElse(""),
        all.stream().filter(Beside::isWithin).count(), all.size());
  }

  /** The same of every step, for the whole account. */
  Block table(List<StudyResult> measured) {
    return new Block.Table(
        "", false,
        List.of(
            Column.number("run"), Column.words("mix"), Column.words("step"),
            Column.number("requests/s"), Column.number("good, predicted"),
            Column.number("good, measured"), Column.number("completed/s, predicted"),
            Column.number("completed/s, measured")),
        beside(measured).stream().map(Beside::row).toList());
  }
}
