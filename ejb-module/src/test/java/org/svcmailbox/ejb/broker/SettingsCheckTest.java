package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.core.settings.impl.SlowConsumerPolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.SampleLog;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.settings.ProfileException;

/** Each setting the service relies on, taken away alone, is told by name. */
@ExtendWith(Brokers.Lender.class)
final class SettingsCheckTest {
  private static final int MIB = 1024 * 1024;

  private ArtemisFixture fixture;

  @BeforeEach
  void start(Brokers brokers) {
    fixture = brokers.start(EmbeddedArtemis.Options.standard());
  }

  private void assertOneViolation(String word, Consumer<AddressSettings> change) {
    assertOneViolation("mailbox.#", EmbeddedArtemis::settings, word, change);
  }

  private void assertOneViolationOfLogs(String word, Consumer<AddressSettings> change) {
    assertOneViolation("mailbox.log.#", EmbeddedArtemis::logSettings, word, change);
  }

  private void assertOneViolationOfLetters(String word, Consumer<AddressSettings> change) {
    assertOneViolation("mailbox.dlq.#", EmbeddedArtemis::letterSettings, word, change);
  }

  private void assertOneViolation(
      String match,
      Supplier<AddressSettings> right,
      String word,
      Consumer<AddressSettings> change) {
    AddressSettings wrong = right.get();
    change.accept(wrong);
    fixture.artemis().change(match, wrong);
    List<String> violations = fixture.broker().violations();
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains(word), violations::toString);
    assertTrue(violations.get(0).contains(match), violations::toString);
    fixture.artemis().change(match, right.get());
    assertEquals(List.of(), fixture.broker().violations());
  }

  @Test
  void whatTheBrokerGivesUpOnMustGoWhereItIsSorted() {
    assertOneViolation("dead-letter-address", s -> s.setDeadLetterAddress(null));
    assertOneViolation("expiry-address", s -> s.setExpiryAddress(null));
    assertOneViolation("max-delivery-attempts", s -> s.setMaxDeliveryAttempts(-1));
  }

  @Test
  void whatADeadSessionHeldMustComeBackAtOnce() {
    assertOneViolation("redelivery-delay", s -> s.setRedeliveryDelay(1_000));
    assertOneViolation("redelivery-delay", s -> s.setRedeliveryDelay(1));
  }

  @Test
  void nothingMayBeDropped() {
    for (AddressFullMessagePolicy policy :
        List.of(
            AddressFullMessagePolicy.DROP,
            AddressFullMessagePolicy.FAIL,
            AddressFullMessagePolicy.BLOCK)) {
      assertOneViolation("PAGE", s -> s.setAddressFullMessagePolicy(policy));
    }
    assertOneViolation("auto-delete-queues", s -> s.setAutoDeleteQueues(true));
    assertOneViolation("auto-create-queues", s -> s.setAutoCreateQueues(true));
    assertOneViolation("no-expiry", s -> s.setNoExpiry(true));
    assertOneViolation("page-limit-bytes", s -> s.setPageLimitBytes(1L << 30));
    assertOneViolation("page-limit-messages", s -> s.setPageLimitMessages(0L));
    assertOneViolation(
        "slow-consumer-policy",
        s -> s.setSlowConsumerThreshold(0).setSlowConsumerPolicy(SlowConsumerPolicy.KILL));
  }

  @Test
  void noDeadLetterMayBeDropped() {
    AddressSettings letters = EmbeddedArtemis.letterSettings();
    letters.setAddressFullMessagePolicy(AddressFullMessagePolicy.DROP);
    letters.setPageLimitBytes(1L << 30);
    letters.setAutoDeleteQueues(true);
    fixture.artemis().change("mailbox.dlq.#", letters);
    List<String> violations = fixture.broker().violations();
    assertEquals(3, violations.size(), violations::toString);
    violations.forEach(one -> assertTrue(one.contains("mailbox.dlq.#"), one));
    fixture.artemis().change("mailbox.dlq.#", EmbeddedArtemis.letterSettings());
    assertEquals(List.of(), fixture.broker().violations());
  }

  @Test
  void whatIsOnDiskMustNotFillTheMemory() {
    assertOneViolation("page-size-bytes for mailbox.#", s -> s.setPageSizeBytes(MIB + 1));
    assertOneViolation("prefetch-page-bytes for mailbox.#", s -> s.setPrefetchPageBytes(MIB + 1));
    assertOneViolation("max-read-page-bytes for mailbox.#", s -> s.setMaxReadPageBytes(40 * MIB));
    assertOneViolationOfLetters("page-size-bytes", s -> s.setPageSizeBytes(MIB + 1));
  }

  @Test
  void aQueueOfDeadLettersMustBeReadWhole() {
    assertOneViolationOfLetters("prefetch-page-bytes", s -> s.setPrefetchPageBytes(MIB));
    assertOneViolationOfLetters("max-read-page-bytes", s -> s.setMaxReadPageBytes(MIB));
  }

  @Test
  void aLogMustStayInMemory() {
    assertOneViolationOfLogs(
        "address-full-policy", s -> s.setAddressFullMessagePolicy(AddressFullMessagePolicy.PAGE));
    assertOneViolationOfLogs("max-size-bytes", s -> s.setMaxSizeBytes(1_000_000));
    assertOneViolationOfLogs("max-size-messages", s -> s.setMaxSizeMessages(1_000));
  }

  @Test
  void anEntryOfALogMustComeBackAtOnceAndAlways() {
    assertOneViolationOfLogs("redelivery-delay", s -> s.setRedeliveryDelay(1));
    assertOneViolationOfLogs("max-delivery-attempts", s -> s.setMaxDeliveryAttempts(100));
    assertOneViolationOfLogs("expiry-delay", s -> s.setExpiryDelay(1_000L));
    assertOneViolationOfLogs("max-expiry-delay", s -> s.setMaxExpiryDelay(1_000L));
  }

  @Test
  void aLogMustBeExclusive() throws Exception {
    SampleLog.open(fixture.broker(), 0).close();
    assertEquals(List.of(), fixture.broker().violations());
    fixture
        .artemis()
        .server()
        .createQueue(
            QueueConfiguration.of(QueueNames.log(WorkerId.of(1)))
                .setRoutingType(RoutingType.ANYCAST)
                .setAutoCreateAddress(true));
    List<String> violations = fixture.broker().violations();
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains("mailbox.log.1 is not exclusive"), violations::toString);
  }

  @Test
  void theQueueForUndeliverableMessagesMustExist() {
    fixture.artemis().destroy(QueueNames.UNDELIVERABLE);
    List<String> violations = fixture.broker().violations();
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains("mailbox.dlq does not exist"), violations::toString);
  }

  @Test
  void theBrokerMustBeDurable(Brokers brokers) {
    EmbeddedArtemis.Options standard = EmbeddedArtemis.Options.standard();
    try (ArtemisFixture careless = brokers.start(standard.withoutDurability())) {
      String violations = String.join("\n", careless.broker().violations());
      assertTrue(violations.contains("enable persistence"), violations);
      assertTrue(violations.contains("journal-sync-transactional"), violations);
      assertTrue(violations.contains("persist-delivery-count-before-delivery"), violations);
      assertEquals(3, careless.broker().violations().size(), violations);
    }
  }

  @Test
  void inAmnesiaTheBrokerMustNotBeDurable() {
    ArtemisBroker broker = fixture.amnesiac();
    List<String> violations = broker.violations();
    assertEquals(2, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains("disable persistence"), violations::toString);
    assertTrue(violations.get(1).contains("for mailbox.# to FAIL"), violations::toString);
    ProfileException refused = assertThrows(ProfileException.class, broker::requireProfile);
    assertTrue(String.valueOf(refused.getMessage()).contains("MAILBOX_AMNESIA"));
  }

  @Test
  void inAmnesiaABrokerThatKeepsNothingIsAsItMustBe(Brokers brokers) {
    AddressSettings failing =
        EmbeddedArtemis.settings().setAddressFullMessagePolicy(AddressFullMessagePolicy.FAIL);
    EmbeddedArtemis.Options forgetful =
        EmbeddedArtemis.Options.standard().withoutDurability().with(failing);
    try (ArtemisFixture micronode = brokers.start(forgetful)) {
      ArtemisBroker broker = micronode.amnesiac();
      assertEquals(List.of(), broker.violations());
      assertDoesNotThrow(broker::requireProfile);
    }
  }
}
