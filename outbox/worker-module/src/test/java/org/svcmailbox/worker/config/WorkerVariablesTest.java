package org.svcmailbox.worker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of variables that are read, and which wins. */
class WorkerVariablesTest {
  private static final String SETTING = "database.url";

  @ParameterizedTest
  @CsvSource({
    "MAILBOX_WORKER_DATABASE_URL=a,                               a",
    "SEA_MQ_DATABASE_URL=b,                                       b",
    "MAILBOX_WORKER_DATABASE_URL=a SEA_MQ_DATABASE_URL=b,         a",
    "MAILBOX_WORKER_DATABASE_URL= SEA_MQ_DATABASE_URL=b,          ''",
    "MAILBOX_DATABASE_URL=c,                                      none",
    "DATABASE_URL=d,                                              none",
    "mailbox_worker_database_url=e,                               none",
    "SEA_MQ_DATABASE=f,                                           none"
  })
  void oneVariableIsRead(String environment, String value) {
    assertEquals(
        value.equals("none") ? null : value, new WorkerVariables(map(environment)).value(SETTING));
  }

  @ParameterizedTest
  @CsvSource({
    "MAILBOX_WORKER_CONFIG=a.toml,                        a.toml",
    "SEA_MQ_CONFIG=b.toml,                                b.toml",
    "MAILBOX_WORKER_CONFIG=a.toml SEA_MQ_CONFIG=b.toml,   a.toml",
    "MAILBOX_CONFIG_FILE=c.toml,                          worker.toml",
    "'',                                                  worker.toml"
  })
  void oneVariableNamesTheFile(String environment, Path file) {
    assertEquals(file, SettingsReader.file(map(environment)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MAILBOX_WORKER_DATABASE_URL=a SEA_MQ_DATABASE_URL=b",
        "MAILBOX_WORKER_CONFIG=a SEA_MQ_CONFIG=b",
        "MAILBOX_DATA_DIR=a MAILBOX_URL=b MAILBOX_STREAMS=c",
        "MAILBOX_WORKER_SERVICE_HOST=10.0.0.1 MAILBOX_WORKER_SERVICE_PORT_HTTP=80",
        "MAILBOX_WORKER_PORT=tcp://10.0.0.1:80 MAILBOX_WORKER_PORT_80_TCP_ADDR=10.0.0.1",
        "MAILBOX_WORKER_METRICS_SERVICE_HOST=10.0.0.1 SEA_MQ_PORT_9000_TCP_PROTO=tcp"
      })
  void variablesOfOthersAreLeftAlone(String environment) {
    assertEquals(List.of(), unknown(environment));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"MAILBOX_WORKER_DATABSE_URL", "SEA_MQ_DATABSE_URL", "MAILBOX_WORKER_DATABASE"})
  void aMisspeltVariableIsTold(String name) {
    assertEquals(List.of(name + " is the variable of no setting"), unknown(name + "=a"));
  }

  private static List<String> unknown(String environment) {
    Violations violations = new Violations();
    new WorkerVariables(map(environment)).requireKnown(Set.of(SETTING), violations);
    try {
      violations.check();
      return List.of();
    } catch (ConfigException e) {
      return e.violations();
    }
  }

  private static Map<String, String> map(String environment) {
    return Arrays.stream(environment.split(" "))
        .filter(variable -> !variable.isEmpty())
        .map(variable -> variable.split("=", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }
}
