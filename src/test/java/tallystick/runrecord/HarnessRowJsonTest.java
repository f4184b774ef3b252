package tallystick.runrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HarnessRowJsonTest {
  @Test
  void whatTheSystemDoesNotTellIsNotANumber() throws IOException {
    HarnessRow.Cpu cpu = (HarnessRow.Cpu) read("{\"kind\":\"cpu\",\"at_ns\":1}");
    assertThat(cpu.processCores()).isNaN();
    assertThat(cpu.machineCores()).isNaN();
  }

  @Test
  void wakeUpsAreAList() throws IOException {
    String line = "{\"kind\":\"wake_ups\",\"at_ns\":1,\"every_ns\":5,\"late_ns\":[3,4]}";
    assertThat(((HarnessRow.WakeUps) read(line)).lateNanos()).isEqualTo(List.of(3L, 4L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'kind':'wake_ups','at_ns':1,'every_ns':5,'late_ns':'x'}",
        "{'kind':'wake_ups','at_ns':1,'every_ns':5}",
        "{'kind':'cpu','at_ns':1,'process_cores':1e308}",
        "{'kind':'cpu','at_ns':1,'machine_cores':-1}",
      })
  void whatNoHarnessWritesIsRefused(String line) {
    assertThatThrownBy(() -> read(line.replace('\'', '"'))).isInstanceOf(IOException.class);
  }

  private static HarnessRow read(String line) throws IOException {
    return HarnessRowJson.read(new ObjectMapper().readTree(line));
  }
}
