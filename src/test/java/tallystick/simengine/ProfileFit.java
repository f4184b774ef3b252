package tallystick.simengine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * Finds a step-time profile that explains a recording of one shape.
 *
 * <p>Steps: least squares of relative errors, so that short steps count as much as long ones. On a
 * machine that others use some steps are stalls; those off by more than {@link #STALL_FACTOR} are
 * left out and their share is told. A term that is not {@link #SIGNIFICANCE} standard errors above
 * zero is left out too. API server: the two times of a request that give the recorded waits with
 * least squares of relative errors when the burst is played in virtual time; the rest of its
 * processor time is the outputs'.
 */
final class ProfileFit {
  static final double STALL_FACTOR = 2.5;
  static final double SIGNIFICANCE = 2;
  private static final int TERMS = 5;
  private static final int ROUNDS = 20;

  /** Steps over which a burst's requests come in; more are not played. */
  private static final int PLAYED_TOKENS = 40;

  /** Bursts simulated for one curve, each with the prompts in another order. */
  private static final int SIMULATED_BURSTS = 6;

  private static final int GRID = 6;

  private ProfileFit() {}

  /**
   * Coefficients of a step's terms, in nanoseconds, and how well they fit.
   *
   * @param terms base, prefill token, prefill pair, decode sequence, KV token; 0 if left out
   * @param standardErrors of the terms; 0 if left out
   * @param noise standard deviation of the logarithm of measured over fitted, stalls left out
   * @param stallShare share of the steps that are stalls
   * @param stallTimeShare their share of the time
   */
  record StepFit(
      double[] terms,
      double[] standardErrors,
      double noise,
      double stallShare,
      double stallTimeShare) {

    StepTimeProfile profile(StepTimeProfile.ApiServerTime apiServer) {
      return new StepTimeProfile(
          "fit", terms[0], terms[1], terms[2], terms[3], terms[4], apiServer, noise);
    }
  }

  /** The profile that explains a recording. */
  static StepTimeProfile fit(FitRecording recording, EngineSettings engine) {
    StepFit steps = steps(recording.steps());
    return steps.profile(apiServer(recording, steps, engine));
  }

  /** Fits the terms of a step. */
  static StepFit steps(List<StepLog.Step> steps) {
    List<Integer> kept = new ArrayList<>(IntStream.range(0, TERMS).boxed().toList());
    StepFit fit = steps(steps, kept);
    for (int term = TERMS - 1; term > 0; term--) {
      if (fit.terms[term] < SIGNIFICANCE * fit.standardErrors[term]) {
        kept.remove(Integer.valueOf(term));
        fit = steps(steps, kept);
      }
    }
    return fit;
  }

  private static StepFit steps(List<StepLog.Step> steps, List<Integer> kept) {
    double[] terms = new double[TERMS];
    terms[0] = median(steps.stream().mapToDouble(StepLog.Step::periodNanos).toArray());
    double[] errors = new double[TERMS];
    for (int round = 0; round < ROUNDS; round++) {
      double[] before = terms;
      List<StepLog.Step> calm =
          round == 0
              ? steps
              : steps.stream().filter(step -> isCalm(step, before)).toList();
      OLSMultipleLinearRegression regression = regression(calm, kept, before);
      terms = spread(regression.estimateRegressionParameters(), kept);
      errors = spread(regression.estimateRegressionParametersStandardErrors(), kept);
    }
    double[] last = terms;
    List<StepLog.Step> calm = steps.stream().filter(step -> isCalm(step, last)).toList();
    double squares =
        calm.stream()
            .mapToDouble(step -> Math.log(step.periodNanos() / mean(step, last)))
            .map(log -> log * log)
            .sum();
    double calmNanos = calm.stream().mapToDouble(StepLog.Step::periodNanos).sum();
    double allNanos = steps.stream().mapToDouble(StepLog.Step::periodNanos).sum();
    return new StepFit(
        terms,
        errors,
        Math.sqrt(squares / calm.size()),
        1 - (double) calm.size() / steps.size(),
        1 - calmNanos / allNanos);
  }

  private static OLSMultipleLinearRegression regression(
      List<StepLog.Step> steps, List<Integer> kept, double[] terms) {
    double[] targets = new double[steps.size()];
    double[][] rows = new double[steps.size()][];
    for (int i = 0; i < targets.length; i++) {
      double weight = 1 / mean(steps.get(i), terms);
      double[] all = row(steps.get(i).work());
      targets[i] = steps.get(i).periodNanos() * weight;
      rows[i] = kept.stream().mapToDouble(term -> all[term] * weight).toArray();
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    regression.newSampleData(targets, rows);
    return regression;
  }

  private static double[] spread(double[] values, List<Integer> kept) {
    double[] all = new double[TERMS];
    for (int i = 0; i < values.length; i++) {
      all[kept.get(i)] = values[i];
    }
    return all;
  }

  private static boolean isCalm(StepLog.Step step, double[] terms) {
    double ratio = step.periodNanos() / mean(step, terms);
    return ratio < STALL_FACTOR && ratio > 1 / STALL_FACTOR;
  }

  private static double mean(StepLog.Step step, double[] terms) {
    double[] row = row(step.work());
    double mean = 0;
    for (int i = 0; i < TERMS; i++) {
      mean += terms[i] * row[i];
    }
    return Math.max(mean, 1);
  }

  private static double[] row(StepWork work) {
    return new double[] {
      1, work.prefillTokens(), work.prefillPairs(), work.decodeSequences(), work.kvTokens()
    };
  }

  /** Fits the API server's times by a search on a grid that is made finer twice. */
  static StepTimeProfile.ApiServerTime apiServer(
      FitRecording recording, StepFit steps, EngineSettings engine) {
    double[] waits = medianCurve(recording.waits());
    int requests = recording.promptTokens().size();
    long outputs = (long) requests * recording.outputTokens();
    double most = recording.apiServerNanos() / requests;
    double parse = most / 2;
    double submit = most / 2;
    for (double reach = most / 2; reach > most / 60; reach /= 3) {
      double bestError = Double.MAX_VALUE;
      double parseMiddle = parse;
      double submitMiddle = submit;
      for (int i = 0; i <= GRID; i++) {
        for (int k = 0; k <= GRID; k++) {
          double parseTry = parseMiddle + reach * (2.0 * i / GRID - 1);
          double submitTry = submitMiddle + reach * (2.0 * k / GRID - 1);
          double left = recording.apiServerNanos() - requests * (parseTry + submitTry);
          if (parseTry < 0 || submitTry < 0 || left < 0) {
            continue;
          }
          StepTimeProfile.ApiServerTime time =
              new StepTimeProfile.ApiServerTime(parseTry, submitTry, left / outputs, false);
          double error =
              error(waits, simulatedWaits(recording, steps.profile(time), engine));
          if (error < bestError) {
            bestError = error;
            parse = parseTry;
            submit = submitTry;
          }
        }
      }
    }
    double left = recording.apiServerNanos() - requests * (parse + submit);
    return new StepTimeProfile.ApiServerTime(parse, submit, left / outputs, false);
  }

  /** The curve of the recorded bursts' waits when they are played in virtual time. */
  static double[] simulatedWaits(
      FitRecording recording, StepTimeProfile profile, EngineSettings engine) {
    List<List<Double>> bursts = new ArrayList<>();
    List<Integer> prompts = new ArrayList<>(recording.promptTokens());
    for (int seed = 0; seed < SIMULATED_BURSTS; seed++) {
      bursts.add(simulatedBurst(prompts, profile, engine, seed));
      Collections.rotate(prompts, prompts.size() / SIMULATED_BURSTS);
    }
    return medianCurve(bursts);
  }

  private static List<Double> simulatedBurst(
      List<Integer> promptTokens, StepTimeProfile profile, EngineSettings engine, long seed) {
    EngineSettings settings =
        new EngineSettings(
            engine.model(), engine.scheduler(), profile, engine.serving(), List.of(), seed, 1, 0,
            engine.release());
    VirtualEngine virtual = new VirtualEngine(settings, 0);
    Double[] waits = new Double[promptTokens.size()];
    for (int i = 0; i < waits.length; i++) {
      int index = i;
      int[] prompt = EngineRun.prompt(promptTokens.get(i), 7000 * (i + 1));
      virtual.submit(
          new VirtualRequest(prompt, PLAYED_TOKENS, 1),
          new VirtualRequest.Observer() {
            @Override
            public void tokens(long nanos, int choice, int[] tokens) {
              if (waits[index] == null) {
                waits[index] = (double) nanos;
              }
            }

            @Override
            public void ended(long nanos, int choice, VirtualRequest.Ending ending) {
              waits[index] -= 1e9 * (ending.queueSeconds() + ending.prefillSeconds());
            }
          });
    }
    virtual.run();
    return List.of(waits);
  }

  /** For each rank the median over bursts, so that one disturbed burst does not count. */
  static double[] medianCurve(List<List<Double>> bursts) {
    List<double[]> sorted =
        bursts.stream()
            .map(burst -> burst.stream().mapToDouble(Double::doubleValue).sorted().toArray())
            .toList();
    double[] curve = new double[sorted.getFirst().length];
    for (int rank = 0; rank < curve.length; rank++) {
      int at = rank;
      curve[rank] = median(sorted.stream().mapToDouble(burst -> burst[at]).toArray());
    }
    return curve;
  }

  private static double error(double[] real, double[] simulated) {
    double squares = 0;
    for (int i = 0; i < real.length; i++) {
      double off = simulated[i] / real[i] - 1;
      squares += off * off;
    }
    return squares;
  }

  private static double median(double[] values) {
    return LoadedEngine.median(values.clone());
  }
}
