package org.svcmailbox.it.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.process.Programs;

/** The gRPC door from a third implementation of gRPC: npm's {@code @grpc/grpc-js}. */
@ContractTest
@Tag("nightly")
class GrpcNodeIT {
  private static final Path PROGRAM = Path.of("src/test/node");
  private static final String SCRIPT = "mailbox_calls.mjs";

  private final MailboxServer server;
  @TempDir private Path directory;

  GrpcNodeIT(MailboxServer server) {
    this.server = server;
  }

  @Test
  void everyCallIsAnsweredRight() throws IOException, InterruptedException {
    Optional<Path> node = Programs.find("node");
    Optional<Path> npm = Programs.find("npm");
    assumeTrue(
        node.isPresent() && npm.isPresent(),
        "Node.js and npm are missing: calls by @grpc/grpc-js are not tested");
    for (String file : List.of("package.json", "package-lock.json", SCRIPT)) {
      Files.copy(PROGRAM.resolve(file), directory.resolve(file));
    }
    String unused =
        run(
            npm.orElseThrow().toString(),
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--prefer-offline");
    String said =
        run(
            node.orElseThrow().toString(),
            SCRIPT,
            Integer.toString(server.port(GrpcClient.PORT)),
            server.operatorFile().toAbsolutePath().toString(),
            GrpcDescriptors.in(directory).toString(),
            "node." + UUID.randomUUID());
    assertEquals("every answer is right", said.strip());
  }

  /** Runs a program to its end, which must be a good one; returns its output. */
  private String run(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process program =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(program.waitFor(2, TimeUnit.MINUTES), () -> command[0] + " goes on");
    } finally {
      program.destroyForcibly();
    }
    String said = Files.readString(output, UTF_8);
    assertEquals(0, program.exitValue(), said);
    return said;
  }
}
