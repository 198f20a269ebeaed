package org.svcmailbox.bench.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.bench.load.Load;

class ComparisonSelectionTest {
  private static ComparisonSelection selection(String... arguments) {
    return Options.parse(arguments).selection();
  }

  private static List<String> loads(String... arguments) {
    return selection(arguments).loads().stream().map(Load::key).toList();
  }

  @Test
  void batchesAreMeasuredWithTheUsualConnectionsUnlessSomethingIsChosen() {
    assertTrue(selection().isAll());
    assertEquals(
        List.of(
            "send.1.1",
            "send.8.1",
            "send.64.1",
            "send.256.1",
            "send.64.10",
            "send.64.100",
            "rate.1000",
            "rate.4000"),
        loads("--works", "send,rate"));
    assertEquals(
        List.of("recv.1.10", "recv.8.10"),
        loads("--works", "recv", "--connections", "1,8", "--batches", "10"));
  }

  @Test
  void aSelectionOfConnectionsOrBatchesExcludesFixedRates() {
    assertEquals(List.of("send.64.1", "recv.64.1"), loads("--connections", "64", "--batches", "1"));
    assertTrue(loads("--connections", "64", "--rates", "500").contains("rate.500"));
  }

  @Test
  void aSelectedPartIsNotAll() {
    ComparisonSelection part = selection("--contestants", "mailbox,servlet");
    assertFalse(part.isAll());
    assertEquals(List.of("mailbox", "servlet"), part.contestants());
  }

  @Test
  void anUnknownValueIsRefusedByItsOption() {
    for (String[] bad :
        new String[][] {
          {"--contestants", "kafka"}, {"--works", "browse"}, {"--connections", "many"},
        }) {
      var refused = assertThrows(IllegalArgumentException.class, () -> Options.parse(bad));
      String message = String.valueOf(refused.getMessage());
      assertTrue(message.startsWith(bad[0] + " "), message);
    }
  }

  @Test
  void neighboursTakePartByDefault() {
    assertTrue(
        ComparisonSelection.ALL
            .contestants()
            .containsAll(List.of("rabbitmq", "nats", "redis", "beanstalkd")));
  }

  @Test
  void openLibertyTakesPartOnlyIfItIsNamed() {
    assertFalse(ComparisonSelection.ALL.contestants().contains("mailbox-liberty"));
    assertEquals(
        List.of("mailbox-liberty"), selection("--contestants", "mailbox-liberty").contestants());
    Options there = Options.parse("--home", "there/mailbox-server");
    assertEquals(Path.of("there/mailbox-liberty"), there.liberty());
  }

  @Test
  void anExternalBrokerTakesPartOnlyIfItIsNamed() {
    assertFalse(ComparisonSelection.ALL.contestants().contains("mailbox-external"));
    assertEquals(
        List.of("mailbox", "mailbox-external"),
        selection("--contestants", "mailbox,mailbox-external").contestants());
  }

  @Test
  void anEarlierBuildTakesPartOnlyIfItIsNamed() {
    assertFalse(ComparisonSelection.ALL.contestants().contains("mailbox-before"));
    ComparisonSelection both = selection("--contestants", "mailbox,mailbox-before");
    assertEquals(List.of("mailbox", "mailbox-before"), both.contestants());
    assertEquals(Optional.of(Path.of("old")), Options.parse("--before", "old").before());
  }
}
