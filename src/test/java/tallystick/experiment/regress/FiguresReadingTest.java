package tallystick.experiment.regress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tallystick.runrecord.MemoryRun;

class FiguresReadingTest {
  /** The words of a command name its folder, target and seed, which repeats do not share. */
  @Test
  void howARunWasTypedDoesNotMakeItsMachineAnother() {
    RunFigures one = typed("run s.yaml --out reports/old --seed 1", "vm");
    RunFigures other = typed("run s.yaml --out reports/new --seed 2", "vm");
    assertThat(other.likeness()).isEqualTo(one.likeness());
  }

  @Test
  void anotherMachineIsToldByItsName() {
    RunFigures one = typed("run s.yaml", "one");
    RunFigures other = typed("run s.yaml", "other");
    assertThat(Likeness.apart(List.of(one), List.of(other)))
        .anySatisfy(
            unlike -> {
              assertThat(unlike.key()).isEqualTo("machine");
              assertThat(unlike.text()).contains("name=one", "name=other");
            });
  }

  private static RunFigures typed(String command, String machine) {
    MemoryRun run = new MemoryRun();
    run.host.put("command", command);
    run.host.put("name", machine);
    return FiguresReading.of(run);
  }
}
