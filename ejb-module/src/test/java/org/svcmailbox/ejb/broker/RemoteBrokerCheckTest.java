package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.activemq.artemis.api.config.ActiveMQDefaultConfiguration;
import org.apache.activemq.artemis.api.core.TransportConfiguration;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.ha.ReplicatedPolicyConfiguration;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.link.BrokerConnections;

/** Each demand on a broker in another process, unmet alone, is told by name. */
@SuppressWarnings("NullAway.Init")
final class RemoteBrokerCheckTest {
  @TempDir private Path directory;

  private final AtomicLong nanos = new AtomicLong();
  private ListeningBroker broker;
  private BrokerConnections connections;
  private BrokerAdmin admin;

  private RemoteBrokerCheck start(boolean guests, Consumer<Configuration> change) {
    broker = new ListeningBroker(directory, guests, change);
    connections = new BrokerConnections(broker.access());
    admin = new BrokerAdmin(connections);
    return new RemoteBrokerCheck(admin, connections, nanos::get);
  }

  @AfterEach
  void end() {
    admin.close();
    connections.close();
    broker.close();
  }

  private void assertOneViolation(String word, Consumer<Configuration> change) {
    List<String> violations = start(false, change).violations();
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains(word), violations::toString);
  }

  @Test
  void theRestOfTheSettingsIsReadOverItsPortToo() {
    assertEquals(List.of(), start(false, same -> {}).violations());
    assertEquals(List.of(), new SettingsCheck(admin, false).violations());
  }

  @Test
  void aBrokerWithoutUsersIsRefused() {
    assertOneViolation("security-enabled", change -> change.setSecurityEnabled(false));
  }

  @Test
  void aBrokerWithGuestsIsRefused() {
    List<String> violations = start(true, same -> {}).violations();
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains("guests"), violations::toString);
  }

  @Test
  void thePasswordOfTheManualIsRefused() {
    assertOneViolation(
        "cluster-password",
        change ->
            change.setClusterPassword(ActiveMQDefaultConfiguration.getDefaultClusterPassword()));
  }

  @Test
  void strangersAreSentAgainOnlyAfterTenMinutesOrOnAnotherConnection() {
    RemoteBrokerCheck check = start(false, same -> {});
    assertEquals(List.of(), check.violations());
    long once = broker.refusals();
    assertEquals(2, once, "a guest and the broker's own user");
    nanos.addAndGet(Duration.ofMinutes(10).toNanos() - 1);
    assertEquals(List.of(), check.violations());
    assertEquals(once, broker.refusals());
    nanos.incrementAndGet();
    assertEquals(List.of(), check.violations());
    assertEquals(2 * once, broker.refusals());
    admin.close();
    assertEquals(List.of(), check.violations());
    assertEquals(3 * once, broker.refusals());
  }

  @Test
  void otherProtocolsAreRefused() {
    assertOneViolation("protocols to CORE", change -> openTo(change, "CORE,AMQP"));
  }

  @Test
  void allProtocolsAreRefused() {
    assertOneViolation("protocols to CORE", change -> openTo(change, null));
  }

  private static void openTo(Configuration change, @Nullable String protocols) {
    TransportConfiguration core = change.getAcceptorConfigurations().iterator().next();
    Map<String, Object> params = new HashMap<>(core.getParams());
    params.remove("protocols");
    if (protocols != null) {
      params.put("protocols", protocols);
    }
    change.clearAcceptorConfigurations();
    change.addAcceptorConfiguration(
        new TransportConfiguration(core.getFactoryClassName(), params, core.getName()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1_999, 5_001, 60_000})
  void aTtlOutsideItsBoundsIsRefused(long millis) {
    assertOneViolation(
        "connection-ttl-override", change -> change.setConnectionTTLOverride(millis));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 2_000, 5_000})
  void aTtlWithinItsBoundsIsFine(long millis) {
    assertEquals(
        List.of(), start(false, change -> change.setConnectionTTLOverride(millis)).violations());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RefuseLateAcknowledgements", "NameJournalFiles", "RefuseBrokers"})
  void aBrokerWithoutOneOfThePluginsIsRefused(String name) {
    assertOneViolation(
        "broker-plugin org.svcmailbox.broker." + name,
        change ->
            change.getBrokerPlugins().stream()
                .filter(plugin -> plugin.getClass().getSimpleName().equals(name))
                .toList()
                .forEach(change::unRegisterBrokerPlugin));
  }

  @Test
  void aJournalThatIsMappedIsRefused() {
    assertOneViolation("journal-type", change -> change.setJournalType(JournalType.MAPPED));
  }

  @Test
  void replicationIsRefused() {
    assertOneViolation(
        "shared store",
        change -> change.setHAPolicyConfiguration(new ReplicatedPolicyConfiguration()));
  }

  @Test
  void aBlockingDiskIsRefused() {
    assertOneViolation("max-disk-usage", change -> change.setMaxDiskUsage(99));
  }

  @Test
  void queuesThatComeIntoBeingByThemselvesAreRefused() {
    assertOneViolation(
        "auto-create-queues", change -> change.addAddressSetting("#", new AddressSettings()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 256, Integer.MAX_VALUE})
  void managementThatCutsScheduledMessagesOffIsRefused(int limit) {
    assertOneViolation(
        "management-message-attribute-size-limit for mailbox.# to -1",
        change ->
            change.addAddressSetting(
                "mailbox.#",
                EmbeddedArtemis.settings().setManagementMessageAttributeSizeLimit(limit)));
  }
}
