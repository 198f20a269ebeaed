package org.svcmailbox.web.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.request.StreamFields;
import org.svcmailbox.core.request.StreamFields.ResumeFields;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamRequest.OnClose;
import org.svcmailbox.core.stream.StreamRequest.Resume;
import org.svcmailbox.web.TestSettings;

class OpenRequestTest {
  private static final StreamFields BARE =
      new StreamFields("t", null, null, null, null, null, null);

  @Test
  void aTopicSuffices() {
    StreamRequest request = BARE.checked(TestSettings.SETTINGS);
    assertEquals("t", request.topic().value());
    assertNull(request.visibility());
    assertNull(request.shard());
    assertEquals(100, request.window());
    assertEquals(1 << 20, request.windowBytes());
    assertEquals(OnClose.KEEP, request.onClose());
    assertNull(request.resume());
  }

  @Test
  void everyFieldArrives() {
    StreamRequest request =
        new StreamFields("t", 5_000L, 3, 1_000, 8L << 20, "nack", new ResumeFields("s-1", 0L))
            .checked(TestSettings.SETTINGS);
    assertEquals(Duration.ofSeconds(5), request.visibility());
    assertEquals(3, request.shard());
    assertEquals(1_000, request.window());
    assertEquals(8 << 20, request.windowBytes());
    assertEquals(OnClose.NACK, request.onClose());
    assertEquals(new Resume("s-1", 0), request.resume());
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, -, -, -, -, -, topic",
        "t, 1, -, -, -, -, -, visibility_ms",
        "t, -, -1, -, -, -, -, shard",
        "t, -, -, 0, -, -, -, window",
        "t, -, -, 1001, -, -, -, window",
        "t, -, -, -, 0, -, -, window_bytes",
        "t, -, -, -, 8388609, -, -, window_bytes",
        "t, -, -, -, -, drop, -, on_close",
        "t, -, -, -, -, -, -1, resume.last",
      })
  void aFieldOutOfItsRangeIsNamed(
      String topic,
      Long visibility,
      Integer shard,
      Integer window,
      Long bytes,
      String onClose,
      Long last,
      String refused) {
    ResumeFields resume = last == null ? null : new ResumeFields("s", last);
    assertRefused(
        List.of(refused),
        new StreamFields(topic, visibility, shard, window, bytes, onClose, resume));
  }

  @Test
  void whatToResumeIsNamedWhole() {
    assertRefused(
        List.of("resume.stream", "resume.last"),
        new StreamFields("t", null, null, null, null, null, new ResumeFields(null, null)));
    assertRefused(
        List.of("resume.stream"),
        new StreamFields("t", null, null, null, null, null, new ResumeFields("", 1L)));
    assertRefused(
        List.of("resume.stream"),
        new StreamFields("t", null, null, null, null, null, new ResumeFields("s".repeat(65), 1L)));
  }

  private static void assertRefused(List<String> fields, StreamFields request) {
    SchemaException refused =
        assertThrows(SchemaException.class, () -> request.checked(TestSettings.SETTINGS));
    assertEquals(fields, refused.violations().stream().map(FieldViolation::field).toList());
  }
}
