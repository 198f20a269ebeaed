package org.svcmailbox.bench;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;

/**
 * The AWS SDK's {@code SqsAsyncBatchManager} as {@code bench/awssdk/pom.xml} fetches it, with its
 * defaults: batches of ten, or what came within 200 ms, over Netty. It is called by reflection,
 * because the build has it on no class path; beside the SDK's own work for a message that is
 * little.
 */
final class BatchManager implements AutoCloseable {
  private static final Path LIBRARY = Path.of("bench/target/awssdk/lib");
  private static final String SQS = "software.amazon.awssdk.services.sqs.";

  private final Object client;
  private final Object manager;
  private final Method builder;
  private final Method queueUrl;
  private final Method messageBody;
  private final Method build;
  private final Method sendMessage;

  private BatchManager(ClassLoader classes) throws ReflectiveOperationException {
    Class<?> clientType = classes.loadClass(SQS + "SqsAsyncClient");
    Class<?> requestType = classes.loadClass(SQS + "model.SendMessageRequest");
    Class<?> builderType = classes.loadClass(SQS + "model.SendMessageRequest$Builder");
    client = clientType.getMethod("create").invoke(null);
    manager = clientType.getMethod("batchManager").invoke(client);
    builder = requestType.getMethod("builder");
    queueUrl = builderType.getMethod("queueUrl", String.class);
    messageBody = builderType.getMethod("messageBody", String.class);
    build = builderType.getMethod("build");
    sendMessage =
        classes
            .loadClass(SQS + "batchmanager.SqsAsyncBatchManager")
            .getMethod("sendMessage", requestType);
  }

  /** Opens one for the service that the system properties of the SDK name. */
  static BatchManager open() throws IOException, ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader classes = PeerClasses.in(LIBRARY);
    // The SDK looks for its HTTP client there.
    thread.setContextClassLoader(classes);
    try {
      return new BatchManager(classes);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Sends a message in some batch. */
  CompletionStage<?> send(String url, String body) throws ReflectiveOperationException {
    Object request = builder.invoke(null);
    queueUrl.invoke(request, url);
    messageBody.invoke(request, body);
    return (CompletionStage<?>) sendMessage.invoke(manager, build.invoke(request));
  }

  @Override
  public void close() throws ReflectiveOperationException {
    Method close = AutoCloseable.class.getMethod("close");
    close.invoke(manager);
    close.invoke(client);
  }
}
