package tallystick.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tallystick.scenario.Dataset.Entry;
import tallystick.scenario.Dataset.Message;
import tallystick.scenario.Dataset.Text;
import tallystick.scenario.Dataset.Tokens;

/** Files of formats that others publish, made up in their columns, and files of any columns. */
class DatasetFormatsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir private Path folder;
  private final List<String> notes = new ArrayList<>();

  @Test
  void readsBurstGptAndCountsTheFailedRequests() throws IOException {
    Dataset dataset =
        guessed("""
            Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
            5,ChatGPT,300,18,318,Conversation log
            45,GPT-4,400,0,400,Conversation log
            45.5,ChatGPT,900,230,1130,API log
            """);

    assertThat(dataset.format()).isEqualTo("burstgpt");
    assertThat(dataset.entries())
        .containsExactly(tokens(0, 300, 18), tokens(40 * SECOND + SECOND / 2, 900, 230));
    assertThat(dataset.leftOut()).containsOnlyKeys("without output tokens").containsValue(1);
    assertThat(notes.getLast())
        .endsWith("data: 1 of 3 rows are left out: 1 without output tokens");
  }

  @Test
  void readsRequestsThatServeGenMade() throws IOException {
    Dataset dataset =
        guessed("request_id,timestamp,input_tokens,output_tokens\n0,0.25,500,210\n1,1.25,10,2\n");

    assertThat(dataset.format()).isEqualTo("servegen");
    assertThat(dataset.entries()).containsExactly(tokens(0, 500, 210), tokens(SECOND, 10, 2));
  }

  @Test
  void readsOpenAiBatches() throws IOException {
    Dataset dataset =
        guessed("""
            {"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"model":"m",\
            "messages":[{"role":"system","content":"Be brief."},{"role":"user","content":[\
            {"type":"text","text":"Name"},{"type":"text","text":"a river."}]}],"max_tokens":20}}
            {"custom_id":"b","url":"/v1/completions","body":{"prompt":"Hi",\
            "max_completion_tokens":30,"max_tokens":9}}
            """);

    assertThat(dataset.format()).isEqualTo("openai-batch");
    assertThat(dataset.entries())
        .containsExactly(
            text(20, new Message("system", "Be brief."), new Message("user", "Name\na river.")),
            text(30, new Message("user", "Hi")));
  }

  @Test
  void readsShareGptAsLinesAndPartsOfContent() throws IOException {
    Dataset dataset =
        guessed("""
            {"conversations":[{"from":"human","value":[{"type":"text","text":"Why?"}]},\
            {"from":"gpt","value":"Because."}]}
            {"conversations":[{"from":"human","value":[{"type":"image_url","image_url":{}}]},\
            {"from":"gpt","value":"A dog."}]}
            {"conversations":[{"from":"human","value":"Unanswered"}]}
            """);

    assertThat(dataset.format()).isEqualTo("sharegpt");
    assertThat(dataset.entries()).containsExactly(text(2, new Message("user", "Why?")));
    assertThat(dataset.leftOut())
        .containsEntry("without an answered question", 1)
        .containsEntry("with a part that is not text (image_url)", 1);
  }

  @Test
  void readsWildChatWithItsTimes() throws IOException {
    Dataset dataset =
        guessed("""
            {"conversation_hash":"x","model":"m","timestamp":"2023-04-09T00:02:53",\
            "conversation":[{"role":"user","content":"Name a river."},\
            {"role":"assistant","content":"The Elbe."}],"turn":1}
            {"conversation_hash":"y","model":"m","timestamp":"2023-04-09 00:02:54+00:00",\
            "conversation":[{"role":"user","content":"Hi"},{"role":"assistant","content":"Ho"}]}
            """);

    assertThat(dataset.format()).isEqualTo("wildchat");
    assertThat(dataset.entries()).extracting(Entry::atNanos).containsExactly(0L, SECOND);
    assertThat(dataset.entries().getFirst().turns())
        .containsExactly(new Text(List.of(new Message("user", "Name a river.")), 3));
  }

  @Test
  void readsTheCustomDataSetOfVllm() throws IOException {
    Dataset dataset = guessed("{\"prompt\": \"Say hi.\", \"output_tokens\": 4}\n");

    assertThat(dataset.format()).isEqualTo("vllm");
    assertThat(dataset.entries()).containsExactly(text(4, new Message("user", "Say hi.")));
  }

  @Test
  void saysThatAnotherFormatFitsToo() throws IOException {
    Dataset dataset =
        guessed("""
            {"request_id":0,"input_length":40,"output_length":2,"hash_ids":[1,2,3]}
            {"request_id":1,"input_length":40,"output_length":2,"hash_ids":[1,2,4]}
            """);

    assertThat(dataset.format()).isEqualTo("servegen");
    assertThat(((Tokens) dataset.entries().getFirst().turns().getFirst()).blocks())
        .containsExactly(new Dataset.Block(1, 16), new Dataset.Block(2, 16));
    assertThat(notes)
        .singleElement().asString()
        .endsWith("is read as format: servegen; mooncake fits too: write format: to choose");
  }

  @Test
  void readsColumnsThatAreNamed() throws IOException {
    Files.writeString(
        folder.resolve("data"),
        "\uFEFFarrived;user;in;out\r\n1500;anna;100;20\r\n2500;ben;50;10\r\n9000;anna;300;30\r\n");

    Dataset dataset =
        dataset(
            "{file: data, time: arrived, unit: ms, prompt_tokens: in, output_tokens: out,"
                + " session: user}");

    assertThat(dataset.entries())
        .containsExactly(
            new Entry(
                0,
                List.of(new Tokens(100, List.of(), 20), new Tokens(180, List.of(), 30)), "anna"),
            new Entry(SECOND, List.of(new Tokens(50, List.of(), 10)), "ben"));
  }

  @Test
  void aLaterTurnIsWithoutTheHistoryThatItsMessagesRepeat() throws IOException {
    Files.writeString(folder.resolve("data"), """
        {"s":1,"messages":[{"role":"user","content":"a"}],"max_tokens":1}
        {"s":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},\
        {"role":"user","content":"c"}],"max_tokens":2}
        """);

    assertThat(dataset("{file: data, session: s}").entries().getFirst().turns())
        .containsExactly(
            new Text(List.of(new Message("user", "a")), 1),
            new Text(List.of(new Message("user", "c")), 2));
  }

  @Test
  void allTurnsOfASessionArePlayedThoughNoConversationIsWritten() throws IOException {
    Files.writeString(folder.resolve("data"), "prompt,max_tokens,s\na,1,x\nb,1,x\n");

    Workload.RequestClass one = only("{file: data, session: s}");

    assertThat(one.conversation().turns().least()).isGreaterThan(1);
  }

  @Test
  void aMooncakeTraceWithSessionsTellsPausesAndWhatIsNew() throws IOException {
    Dataset dataset =
        guessed("""
            {"session_id":"a","timestamp":1000,"input_length":300,"output_length":40}
            {"session_id":"b","timestamp":1500,"input_length":90,"output_length":9}
            {"session_id":"a","delay":2000,"input_length":900,"output_length":20}
            """);

    assertThat(dataset.format()).isEqualTo("mooncake");
    assertThat(dataset.entries()).extracting(Dataset.Entry::atNanos)
        .containsExactly(0L, 500_000_000L);
    assertThat(dataset.entries().getFirst().turns())
        .containsExactly(
            new Tokens(300, List.of(), 40), new Tokens(900, List.of(), 20, 2_000_000_000L));
  }

  @Test
  void aPauseIsInTheUnitOfTheTimes() throws IOException {
    Files.writeString(
        folder.resolve("data"), "at,n,out,s,gap\n1,10,5,x,\n2,8,5,x,1.5\n9,7,5,x,-1\n");

    assertThatThrownBy(
            () -> dataset("{file: data, session: s, pause: gap, prompt_tokens: n,"
                + " output_tokens: out}"))
        .hasMessageContaining("gap must be a number of at least 0");
    assertThat(
            dataset("{file: data, session: s, pause: gap, prompt_tokens: n, output_tokens: out,"
                + " limit: 2}").entries().getFirst().turns())
        .extracting(Dataset.Turn::pauseNanos)
        .containsExactly(Dataset.NO_PAUSE, 1_500_000_000L);
  }

  @Test
  void readsQuotedCellsOverLinesAndUsualNames() throws IOException {
    Dataset dataset =
        guessed("id,prompt,max_tokens\n1,\"Say \"\"hi\"\", please.\nThen stop.\",5\n2,Hi,7\n");

    assertThat(dataset.entries())
        .containsExactly(
            text(5, new Message("user", "Say \"hi\", please.\nThen stop.")),
            text(7, new Message("user", "Hi")));
    assertThat(notes).singleElement().asString()
        .endsWith("read as format: columns with output_tokens: max_tokens, prompt: prompt");
  }

  @Test
  void onlyAFileWithMoreRowsThanAreTakenIsSaidToBeCut() throws IOException {
    String dialogue =
        "{\"conversations\": [{\"from\": \"human\", \"value\": \"Hi\"},"
            + " {\"from\": \"gpt\", \"value\": \"Hello\"}]}\n";

    assertThat(guessed(dialogue.repeat(DatasetReader.DIALOGUES)).entries())
        .hasSize(DatasetReader.DIALOGUES);
    assertThat(notes).noneMatch(one -> one.contains("only the first"));
    assertThat(guessed(dialogue.repeat(DatasetReader.DIALOGUES + 1)).entries())
        .hasSize(DatasetReader.DIALOGUES);
    assertThat(notes).anyMatch(one -> one.contains("only the first 10,000 entries are read"));
  }

  @Test
  void readsAPackedFile() throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("data")))) {
      out.write(
          "TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 00:00:00.009930+00:00,21,5\n"
              .getBytes(StandardCharsets.UTF_8));
    }

    assertThat(dataset("data").entries()).containsExactly(tokens(0, 21, 5));
  }

  @Test
  void aTraceIsADataSetWhoseTimesArePlayed() throws IOException {
    Files.writeString(folder.resolve("data"), "time,input_tokens,output_tokens\n3,5,5\n1,7,5\n");

    Scenario scenario = read("workload: {trace: data}\n");

    assertThat(scenario.workload().arrival()).isInstanceOf(Arrival.Trace.class);
    assertThat(notes).hasSize(3);
    assertThat(notes.getLast())
        .endsWith("times go backwards at 1 of 2 rows; rows were sorted by time");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "time,prompt_tokens,output_tokens¶1,5,5¶2,-3,5 | 3 | must be a whole number from 1",
    "time,prompt_tokens,output_tokens¶1,5,5¶2,0,5 | 3 | dataset.skip_zero: true",
    "time,prompt_tokens,output_tokens¶1700000000,5,5¶1700000001000,7,5 | 3 | unit as the times",
    "time,prompt_tokens,output_tokens¶2024-01-01 00:00:01,5,5¶2,7,5 | 3 | unit as the times",
    "time,prompt_tokens,output_tokens¶170000000100,7,5 | 2 | write dataset.unit: ms, us or ns",
    "stamp,in_tokens,out_tokens¶1,5,5 | 1 | write dataset.prompt_tokens: in_tokens",
    "a,b¶1,5 | 1 | there are a, b; name the one that holds it with dataset.prompt_tokens: NAME",
    "prompt,x¶a,5 | 1 | or write output_tokens in the workload",
    "0,1.3,8.6,Weibull,0.37,0.39 | 1 | the first line holds values; write a header row",
    "time,prompt_tokens,output_tokens | 0 | holds no usable entry; write rows into it",
    "'' | 0 | holds no usable entry; write rows into it",
    "id,prompt,max_tokens¶1,\"never ends,5¶2,b,5 | 2 | a quote opens here and never closes",
    "{¶ \"prompt\": \"a\"¶} | 1 | write each object whole on one line",
    "prompt,max_tokens¶Hello, stop,5 | 2 | put double quotes around cells that hold commas",
    "PAR1 | 0 | save it as CSV or as one JSON object a line",
  }, quoteCharacter = '\'')
  void aBadFileIsAnsweredWithWhatToWrite(String text, int line, String words) throws IOException {
    Files.writeString(folder.resolve("data"), text.replace("¶", "\n"));

    ScenarioException mistake =
        catchThrowableOfType(ScenarioException.class, () -> dataset("data"));

    assertThat(mistake).isNotNull().hasMessageContaining(words);
    assertThat(mistake.line()).as(mistake.getMessage()).isEqualTo(line);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{file: data, output_tokens: outt} | did you mean out? Then write dataset.output_tokens: out",
    "{file: data, session: user} | name one of these, or leave dataset.session out",
    "{format: azure, file: data} | the header row has no column TIMESTAMP; there are time, in, out",
    "{format: burst, file: data} | did you mean \"burstgpt\"?",
  }, quoteCharacter = '\'')
  void aColumnThatIsNotThereIsAnsweredWithThoseThereAre(String dataset, String words)
      throws IOException {
    Files.writeString(folder.resolve("data"), "time,in,out\n1,5,5\n");

    assertThat(catchThrowableOfType(ScenarioException.class, () -> dataset(dataset)))
        .hasMessageContaining(words);
  }

  @Test
  void namesTheColumnThatFitsAsWell() throws IOException {
    assertThat(guessed("input_tokens,prompt_tokens,max_tokens\n5,6,7\n").entries())
        .containsExactly(new Entry(Dataset.NO_TIME, List.of(new Tokens(6, List.of(), 7))));
    assertThat(notes).singleElement().asString()
        .endsWith(
            "format: columns with prompt_tokens: prompt_tokens, output_tokens: max_tokens;"
                + " input_tokens fits too: write dataset.prompt_tokens: input_tokens");
    dataset("{file: data, format: columns}");
    assertThat(notes).hasSize(2);
    dataset("{file: data, format: columns, prompt_tokens: input_tokens}");
    assertThat(notes).hasSize(2);
  }

  @Test
  void saysWhetherTextOrLengthIsUsed() throws IOException {
    String both = "prompt,prompt_tokens,output_tokens\nHi,6,7\n";

    assertThat(guessed(both).entries()).containsExactly(text(7, new Message("user", "Hi")));
    assertThat(notes).singleElement().asString()
        .endsWith(
            "format: vllm with output_tokens: output_tokens, prompt: prompt; prompt_tokens fits"
                + " too: write dataset.prompt_tokens: prompt_tokens");
    assertThat(dataset("{file: data, prompt_tokens: prompt_tokens}").entries())
        .containsExactly(new Entry(Dataset.NO_TIME, List.of(new Tokens(6, List.of(), 7))));
  }

  /** WildChat names its dialogues so, and any file may name its prompts so. */
  @ParameterizedTest
  @ValueSource(strings = {"", "format: columns, "})
  void aColumnThatTheScenarioNamesIsTakenForNothingElse(String format) throws IOException {
    Files.writeString(
        folder.resolve("data"),
        "time,conversation,prompt_tokens,output_tokens\n0,a,10,20\n1,b,20,5\n2,a,40,7\n");

    assertThat(dataset("{file: data, " + format + "session: conversation}").entries())
        .containsExactly(
            new Entry(
                0, List.of(new Tokens(10, List.of(), 20), new Tokens(10, List.of(), 7)), "a"),
            new Entry(SECOND, List.of(new Tokens(20, List.of(), 5)), "b"));
    Files.writeString(
        folder.resolve("data"),
        "{\"conversation\":\"a\",\"prompt_tokens\":10,\"max_tokens\":20}\n");
    assertThat(dataset("{file: data, " + format + "session: conversation}").entries())
        .containsExactly(
            new Entry(Dataset.NO_TIME, List.of(new Tokens(10, List.of(), 20)), "a"));
  }

  @Test
  void noCsvIsTakenForDialoguesWhichAreLists() throws IOException {
    assertThat(guessed("conversation,output_tokens\nHi,7\n").entries())
        .containsExactly(text(7, new Message("user", "Hi")));
  }

  @Test
  void aTimeBesideAFormatWithoutTimesIsPlayed() throws IOException {
    Files.writeString(folder.resolve("data"), """
        {"prompt":"a","output_tokens":4,"timestamp":1.5}
        {"prompt":"b","output_tokens":4,"timestamp":2.5}
        """);

    Dataset dataset =
        ((RequestContent.FromDataset)
                read("workload: {trace: data}\n").workload().classes().getFirst().content())
            .dataset();

    assertThat(dataset.entries()).extracting(Entry::atNanos).containsExactly(0L, SECOND);
    assertThat(notes.getLast()).contains("format: vllm with time: timestamp, output_tokens:");
    assertThat(guessed("{\"prompt\":\"a\",\"output_tokens\":4,\"time\":\"noon\"}\n").isTimed())
        .isFalse();
  }

  @Test
  void doubtsSecondsThatWouldLastForDays() throws IOException {
    String rows = "time,prompt_tokens,output_tokens\n0,5,5\n950,5,5\n100000,5,5\n";
    guessed(rows);

    assertThat(notes).hasSize(2).last().asString()
        .endsWith(
            "its times span 27 h 47 min, few rows for so long: if they are in milliseconds"
                + " write dataset.unit: ms, otherwise dataset.unit: s");
    for (String unit : List.of("ms", "s")) {
      notes.clear();
      dataset("{file: data, unit: " + unit + "}");
      assertThat(notes).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"1700000001000, 1700000002500, ms", "1700000001000000, 1700000002500000, us"})
  void understandsDatesThatAreCountedInASmallerUnit(String first, String second, String unit)
      throws IOException {
    String rows = "time,prompt_tokens,output_tokens\n" + first + ",5,5\n" + second + ",5,5\n";

    assertThat(guessed(rows).entries()).extracting(Entry::atNanos)
        .containsExactly(0L, 3 * SECOND / 2);
    assertThat(notes).hasSize(2).last().asString()
        .endsWith(
            "its times are read as " + unit + " since 1970; dataset.unit names another unit");
    assertThat(dataset("{file: data, unit: " + unit + "}").entries())
        .extracting(Entry::atNanos).containsExactly(0L, 3 * SECOND / 2);
    assertThat(notes).hasSize(3);
  }

  @Test
  void refusesAHeadingWithAColumnTwice() {
    assertThatThrownBy(
            () -> guessed("timestamp,input_tokens,input_tokens,output_tokens\n0,5,6,7\n"))
        .hasMessageContaining("the header row has the column input_tokens twice");
  }

  @Test
  void saysThatAValueIsNull() {
    assertThatThrownBy(() -> guessed("{\"prompt_tokens\":null,\"max_tokens\":5}\n"))
        .hasMessageContaining("\"prompt_tokens\" is null");
  }

  @Test
  void saysHowDatesAreWrittenWhereATimeIsAnother() {
    assertThatThrownBy(
            () -> guessed("timestamp,input_tokens,output_tokens\n03/04/2023 10:00,5,7\n"))
        .hasMessageContaining("unit: iso")
        .hasMessageContaining("2023-04-03T10:00:00Z");
  }

  private static Entry tokens(long at, int prompt, int output) {
    return new Entry(at, List.of(new Tokens(prompt, List.of(), output)));
  }

  private static Entry text(int output, Message... messages) {
    return new Entry(Dataset.NO_TIME, List.of(new Text(List.of(messages), output)));
  }

  private Dataset guessed(String content) throws IOException {
    Files.writeString(folder.resolve("data"), content);
    return dataset("data");
  }

  private Dataset dataset(String written) throws IOException {
    return ((RequestContent.FromDataset) only(written).content()).dataset();
  }

  private Workload.RequestClass only(String dataset) throws IOException {
    return read("requests: 1\nworkload: {rate: 1, dataset: " + dataset + "}\n")
        .workload().classes().getFirst();
  }

  private Scenario read(String text) throws IOException {
    Path scenario = folder.resolve("x.yaml");
    Files.writeString(scenario, text);
    return ScenarioReader.read(scenario, List.of(), List.of(), false, notes::add);
  }
}
