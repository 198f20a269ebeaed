package org.svcmailbox.client.http;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.MainLoop;

/** The program of {@link TerminationTest}: a worker whose handlers last until it is told to end. */
final class TerminatedWorker {
  private static final CompletableFuture<MainLoop<String, String>> LOOP = new CompletableFuture<>();

  private TerminatedWorker() {}

  /** Takes the service, the topic, the number of workers, and the seconds that handlers have. */
  public static void main(String[] args) {
    Mailbox<String, String> orders =
        HttpMailbox.builder(
                URI.create(args[0]), TokenSource.of("token"), args[1], Codecs.utf8(), Codecs.utf8())
            .build();
    MainLoop<String, String> loop =
        MainLoop.handling(orders, TerminatedWorker::handle)
            .workers(Integer.parseInt(args[2]))
            .start();
    LOOP.complete(loop);
    Duration grace = Duration.ofSeconds(Long.parseLong(args[3]));
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> System.out.println("graceful: " + loop.stop(grace))));
  }

  private static String handle(Message<String, String> message) throws Exception {
    System.out.println("began " + message.body());
    switch (message.body()) {
      case "ends" -> awaitStop();
      case "waits" -> Thread.sleep(Long.MAX_VALUE);
      default -> waitDeaf();
    }
    return "done";
  }

  private static void awaitStop() throws Exception {
    while (LOOP.get().isRunning()) {
      Thread.sleep(5);
    }
  }

  /** Never ends, whatever interrupts it. */
  private static void waitDeaf() {
    CompletableFuture<Void> never = new CompletableFuture<>();
    never.join();
  }
}
