package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.problem.UnavailableException;

class DenialCountsTest {
  private static final Instant NOW = Instant.parse("2026-11-27T09:00:00Z");
  private static final String DENIED = "capability.denied";

  private final DenialCounts counts = new DenialCounts();
  private final List<AuditEntry> written = new ArrayList<>();

  private static InetAddress address(int last) {
    try {
      return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static AuditEntry entry(String actor, String address, String reason, String note) {
    return new AuditEntry(NOW, actor(actor), address, DENIED, reason, note);
  }

  private static Actor actor(String id) {
    return new Actor(id, null);
  }

  @Test
  void callsOfAKindAreOneEntry() {
    counts.count(actor("stranger"), address(1), DENIED, "missing");
    counts.count(actor("stranger"), address(1), DENIED, "missing");
    counts.count(actor("stranger"), address(2), DENIED, "missing");
    counts.count(actor("k-1:0a"), null, DENIED, "topic");
    counts.writeTo(written::add, NOW);
    assertEquals(
        List.of(
            entry("stranger", "192.0.2.1", "missing", "2 times"),
            entry("stranger", "192.0.2.2", "missing", "once"),
            entry("k-1:0a", "", "topic", "once")),
        written);
    counts.writeTo(written::add, NOW);
    assertEquals(3, written.size());
  }

  @Test
  void kindsThatAreTooManyCountTogether() {
    for (int i = 0; i < 2 * DenialCounts.MOST; i++) {
      counts.count(actor("k-1:" + i), address(i % 7), DENIED, i % 2 == 0 ? "topic" : "operation");
      counts.count(actor("k-1:0"), address(0), DENIED, "topic");
    }
    counts.writeTo(written::add, NOW);
    assertEquals(DenialCounts.MOST + 2, written.size());
    assertEquals(entry("k-1:0", "192.0.2.0", "topic", "201 times"), written.get(0));
    assertEquals(
        List.of(
            entry("others", "", "topic", "50 times"), entry("others", "", "operation", "50 times")),
        written.subList(DenialCounts.MOST, DenialCounts.MOST + 2));
  }

  @Test
  void deniedCallsOfManyDoNotHideWhoFailedToSignIn() {
    for (int i = 0; i < 2 * DenialCounts.MOST; i++) {
      counts.count(actor("k-1:" + i), address(1), DENIED, "topic");
    }
    counts.count(actor("console:ann"), address(2), "console.signin_failed", "credentials");
    counts.writeTo(written::add, NOW);
    AuditEntry last = written.get(written.size() - 1);
    assertEquals("console:ann", last.actor().id());
    assertEquals(DenialCounts.MOST + 2, written.size());
  }

  @Test
  void fiveFailedSignInsHaveEntriesAndTheOthersAreCounted() {
    for (int i = 0; i < 7; i++) {
      for (String user : List.of("ann", "bob", "cy", "di", "ed", "fay", "gus")) {
        counts.count(Actor.ofConsole(user), address(1), DenialCounts.SIGN_IN_FAILED, "credentials");
      }
    }
    counts.writeTo(written::add, NOW);
    assertEquals(
        List.of(
            "console:ann 7 times",
            "console:bob 7 times",
            "console:cy 7 times",
            "console:di 7 times",
            "console:ed 7 times",
            "others 14 times"),
        written.stream().map(entry -> entry.actor().id() + " " + entry.note()).toList());
  }

  @Test
  void whatTheDatabaseDoesNotTakeIsWrittenLater() {
    counts.count(actor("a"), address(1), DENIED, "topic");
    counts.count(actor("b"), address(1), DENIED, "topic");
    counts.count(actor("b"), address(1), DENIED, "topic");
    assertThrows(
        UnavailableException.class,
        () ->
            counts.writeTo(
                entry -> {
                  if (entry.actor().id().equals("b")) {
                    throw new UnavailableException("away");
                  }
                  written.add(entry);
                },
                NOW));
    counts.count(actor("b"), address(1), DENIED, "topic");
    counts.writeTo(written::add, NOW);
    assertEquals(
        List.of(
            entry("a", "192.0.2.1", "topic", "once"), entry("b", "192.0.2.1", "topic", "3 times")),
        written);
  }
}
