package tallystick.experiment.warmup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import tallystick.experiment.TestBed;
import tallystick.plan.Plan;

/** An engine whose first request takes five times as long as those when it is warm. */
final class WarmingBench implements TestBed {
  private static final double WARM_SECONDS = 0.1;
  private static final double COLD = 4;
  private static final double SERVED = 20;

  /** How many requests each run sent that was played to its end. */
  final List<Integer> played = new ArrayList<>();

  /** Run in whose middle somebody stops it, or the world fails; counted from 1, 0 for none. */
  int stoppedIn;
  int failingIn;
  private int begun;

  @Override
  public OptionalDouble play(Plan plan, Path runFolder) throws IOException {
    begun++;
    if (begun == failingIn) {
      throw new IOException("no space left on the disk");
    }
    if (begun == stoppedIn) {
      return OptionalDouble.empty();
    }
    int requests =
        (int) plan.requests().stream().filter(request -> !request.isWarmup()).count();
    played.add(requests);
    double ttft = WARM_SECONDS * (1 + COLD * Math.exp(-requests / SERVED));
    Files.writeString(runFolder.resolve("ttft"), Double.toString(ttft));
    return OptionalDouble.of(requests);
  }

  @Override
  public String words() {
    return "an engine that warms up";
  }

  @Override
  public String fingerprint() {
    return words();
  }

  @Override
  public boolean isRepeatable() {
    return true;
  }

  @Override
  public double overheadSeconds() {
    return 0;
  }
}
