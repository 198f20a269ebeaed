package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.process.Programs;

/** The gRPC door from another implementation of gRPC: that of Debian's python3-grpcio. */
@ContractTest
class GrpcPythonIT {
  private static final Path SCRIPT = Path.of("src/test/python/mailbox_calls.py");

  private final MailboxServer server;
  @TempDir private Path directory;

  GrpcPythonIT(MailboxServer server) {
    this.server = server;
  }

  @Test
  void everyCallIsAnsweredRight() throws IOException, InterruptedException {
    Path python = Programs.python("python3-grpcio", "grpc");
    Path output = directory.resolve("output");
    Process calls =
        new ProcessBuilder(
                python.toString(),
                SCRIPT.toAbsolutePath().toString(),
                Integer.toString(server.port(GrpcClient.PORT)),
                server.operatorFile().toAbsolutePath().toString(),
                GrpcDescriptors.in(directory).toString(),
                "python." + UUID.randomUUID())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertTrue(calls.waitFor(2, TimeUnit.MINUTES), "the calls go on");
    String said = Files.readString(output, UTF_8);
    assertEquals(0, calls.exitValue(), said);
    assertEquals("every answer is right", said.strip());
  }
}
