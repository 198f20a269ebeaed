package org.svcmailbox.bench.client;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.bench.machine.PeerClasses;

/**
 * The {@code SqsAsyncBatchManager} of the AWS SDK with its defaults: batches of ten, or of what
 * came within 200 ms, over Netty. Called by reflection, because {@code bench/awssdk/pom.xml} keeps
 * it off every class path; that costs little beside the SDK's own work.
 */
final class AwsBatchClient implements AutoCloseable {
  private static final Path LIBRARY = Path.of("bench/target/awssdk/lib");
  private static final String SQS = "software.amazon.awssdk.services.sqs.";

  private final Object client;
  private final Object manager;
  private final Method builder;
  private final Method queueUrl;
  private final Method messageBody;
  private final Method build;
  private final Method sendMessage;

  private AwsBatchClient(ClassLoader classes) throws ReflectiveOperationException {
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

  /** Opens a client for the service in the system properties of the SDK. */
  static AwsBatchClient open() throws IOException, ReflectiveOperationException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader classes = PeerClasses.in(LIBRARY);
    // The SDK looks for its HTTP client in the context class loader.
    thread.setContextClassLoader(classes);
    try {
      return new AwsBatchClient(classes);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

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
