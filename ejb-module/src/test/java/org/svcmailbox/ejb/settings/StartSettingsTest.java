package org.svcmailbox.ejb.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingTable;
import org.svcmailbox.core.settings.SettingsException;

class StartSettingsTest {
  private static MailboxSettings load(Map<String, String> environment) {
    return StartSettings.load(environment, List.of());
  }

  /** A broker, a gRPC door and the service itself, beside this one in a namespace. */
  @ParameterizedTest
  @ValueSource(strings = {"MAILBOX", "MAILBOX_BROKER", "MAILBOX_GRPC", "MAILBOX_DB_REPLICA"})
  void variablesOfAnyServiceChangeNothing(String service) {
    Map<String, String> set =
        Map.of(
            service + "_SERVICE_HOST", "10.0.0.1",
            service + "_SERVICE_PORT", "61616",
            service + "_SERVICE_PORT_AMQP", "61616",
            service + "_PORT", "tcp://10.0.0.1:61616",
            service + "_PORT_61616_TCP", "tcp://10.0.0.1:61616",
            service + "_PORT_61616_TCP_ADDR", "10.0.0.1");
    assertEquals(load(Map.of()).grpc(), load(set).grpc());
  }

  @Test
  void aPortThatSomebodySetCounts() {
    assertEquals(9_600, load(Map.of("MAILBOX_GRPC_PORT", "9600")).grpc().port());
  }

  @ParameterizedTest
  @ValueSource(strings = {"MAILBOX_PORT", "MAILBOX_HTTP_PORT", "MAILBOX_BROKER_PORT"})
  void aPortThatIsNoSettingIsRefused(String variable) {
    SettingsException refused =
        assertThrows(SettingsException.class, () -> load(Map.of(variable, "8081")));
    String said = String.valueOf(refused.getMessage());
    assertTrue(said.contains("is not a setting"), said);
  }

  @Test
  void noSettingIsMistakenForAServicesVariable() {
    SettingTable.ALL.forEach(
        setting -> assertTrue(Variables.isSetting(setting.key(), "1"), setting::key));
  }
}
