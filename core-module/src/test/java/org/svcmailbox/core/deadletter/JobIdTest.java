package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobIdTest {
  @Test
  void aNoteNamesItsJob() {
    JobId job = JobId.random(new Random(1));
    assertEquals(Optional.of(job), JobId.ofNote(job.note("k1:00")));
    assertEquals(Optional.of(job), JobId.ofNote(job.note("service") + ": reprocessed from a"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "job ",
        "job j0123456789abcde",
        "job J0123456789abcdef",
        "a job j0123456789abcdef",
        "reprocessed from job, message j0123456789abcdef"
      })
  void otherNotesNameNone(String note) {
    assertEquals(Optional.empty(), JobId.ofNote(note));
  }
}
