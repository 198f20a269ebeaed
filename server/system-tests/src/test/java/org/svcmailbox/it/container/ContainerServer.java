package org.svcmailbox.it.container;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jboss.as.arquillian.container.ManagementClient;
import org.jboss.as.controller.client.helpers.Operations;
import org.jboss.dmr.ModelNode;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;

/** The running server, as its administrator sees it. */
final class ContainerServer {
  private final ManagementClient management;

  ContainerServer(ManagementClient management) {
    this.management = management;
  }

  /** A client of its public door. */
  static MailboxClient client() {
    URI uri = URI.create("http://127.0.0.1:" + Integer.getInteger("container.http.port"));
    Path operator = Path.of(System.getProperty("container.base"), "data/mailbox/operator.cap");
    return new MailboxClient(new CallTarget(uri, () -> token(operator)));
  }

  /** Read when it is needed: before the deployment there is none. */
  private static @Nullable String token(Path operator) {
    try {
      return Files.exists(operator) ? Files.readString(operator).strip() : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sets a system property in the server's JVM. */
  void setProperty(String key, String value) {
    ModelNode add = Operations.createAddOperation(property(key));
    add.get("value").set(value);
    execute(add);
  }

  void removeProperty(String key) {
    execute(Operations.createRemoveOperation(property(key)));
  }

  /** One of the settings that the broker has for an address pattern. */
  String addressSetting(String pattern, String name) {
    return execute(Operations.createReadAttributeOperation(addressSettings(pattern), name))
        .asString();
  }

  void setAddressSetting(String pattern, String name, String value) {
    execute(Operations.createWriteAttributeOperation(addressSettings(pattern), name, value));
  }

  /** The names of the threads in the server's JVM that begin with {@code prefix}. */
  List<String> threads(String prefix) {
    ModelNode dump =
        Operations.createOperation(
            "dump-all-threads",
            Operations.createAddress("core-service", "platform-mbean", "type", "threading"));
    dump.get("locked-monitors").set(false);
    dump.get("locked-synchronizers").set(false);
    return execute(dump).asList().stream()
        .map(thread -> thread.get("thread-name").asString())
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  private ModelNode execute(ModelNode operation) {
    try {
      ModelNode answer = management.getControllerClient().execute(operation);
      if (!Operations.isSuccessfulOutcome(answer)) {
        throw new AssertionError(operation + ": " + Operations.getFailureDescription(answer));
      }
      return Operations.readResult(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ModelNode property(String key) {
    return Operations.createAddress("system-property", key);
  }

  private static ModelNode addressSettings(String pattern) {
    return Operations.createAddress(
        "subsystem", "messaging-activemq", "server", "default", "address-setting", pattern);
  }
}
