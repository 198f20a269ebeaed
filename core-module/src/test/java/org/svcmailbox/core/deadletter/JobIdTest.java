package org.svcmailbox.core.deadletter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.audit.Actor;

class JobIdTest {
  @Test
  void aNoteNamesItsJob() {
    JobId job = JobId.random(new Random(1));
    assertEquals(Optional.of(job), JobId.ofNote(job.note(Actor.SERVICE) + ": reprocessed from a"));
    String named = job.note(new Actor("k1:00", "job j0123456789abcdef"));
    assertEquals(Optional.of(job), JobId.ofNote(named));
    assertTrue(named.endsWith(", started by job j0123456789abcdef (k1:00)"), named);
    assertTrue(job.note(Actor.ofConsole("ann")).endsWith(", started by console:ann"));
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
