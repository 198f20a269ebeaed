package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditFilter.Action;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.problem.UnavailableException;

/** Only operators may read the audit. */
class AuditServiceTest {
  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();
  private final String root = Nodes.operatorToken(node);

  private Caller caller(String... caveats) {
    return node.authenticate(Nodes.narrowed(root, caveats), Nodes.address("192.0.2.7"));
  }

  private List<AuditRow> read(Caller caller) {
    return node.audit(caller, AuditFilter.ALL, 0, AuditService.MAX_ROWS);
  }

  @Test
  void anOperatorReadsWhatWasDoneAndReadingItIsNotAudited() {
    Caller operator = caller("ops = admin");
    node.mint(operator, List.of(), Duration.ofHours(1));
    node.rotate(operator);
    List<AuditRow> before = read(operator);
    assertEquals(
        nodes.store.audit(), before.stream().map(AuditRow::entry).toList(), "all there is");
    assertEquals("192.0.2.7", before.get(before.size() - 1).entry().address());
    assertEquals(before, read(operator));
  }

  @Test
  void whatIsAskedIsWhatIsRead() {
    Caller operator = caller();
    node.mint(operator, List.of(), Duration.ofHours(1));
    List<AuditRow> before = read(operator);
    String first = node.rotate(operator);
    node.mint(operator, List.of(), Duration.ofHours(1));
    String second = node.rotate(operator);
    AuditFilter rotated = new AuditFilter(null, null, Action.parse("capability.rot*"), null, null);
    AuditRow last = before.get(before.size() - 1);
    for (String keyId : List.of(first, second)) {
      List<AuditRow> found = node.audit(operator, rotated, last.no(), 1);
      assertEquals(List.of(keyId), found.stream().map(row -> row.entry().subject()).toList());
      last = found.get(0);
    }
    assertEquals(List.of(), node.audit(operator, rotated, last.no(), 1));
  }

  @Test
  void whoeverIsNoOperatorOfAllTopicsIsDenied() {
    for (String caveat : List.of("ops = send,recv,ack,nack,extend,peek,dlq", "topic = orders")) {
      assertThrows(DeniedException.class, () -> read(caller(caveat)), caveat);
    }
  }

  @Test
  void withoutTheDatabaseThereIsNoAnswer() {
    Caller operator = caller();
    read(operator);
    nodes.store.away(true);
    assertThrows(UnavailableException.class, () -> read(operator));
  }
}
