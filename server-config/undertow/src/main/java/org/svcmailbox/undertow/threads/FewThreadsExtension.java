package org.svcmailbox.undertow.threads;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/**
 * Lets every deployment that can see this extension serve its requests on {@link FewThreads} and
 * end them in their {@linkplain EndInIoThread I/O thread}. A suspended request's tasks run in
 * place, on the thread that starts or completes them. For tasks that may wait, the deployment finds
 * the threads in an attribute of its context. So a task that needs the I/O thread to write an
 * answer gets it at once, without another thread in between.
 */
public final class FewThreadsExtension implements ServletExtension {
  /** The attribute; its value is an {@link java.util.concurrent.Executor}. */
  static final String THREADS = "org.svcmailbox.threads";

  /** A request is short and seldom waits: this keeps the processors busy. */
  private static final int PER_PROCESSOR = 2;

  /** As many as the server's own pool gives; see server-config/wildfly. */
  private static final int MOST = 64;

  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    int few = PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    FewThreads threads = new FewThreads(new XnioPlatform(), few, MOST);
    deployment.setExecutor(threads);
    deployment.setAsyncExecutor(Runnable::run);
    context.setAttribute(THREADS, threads);
    deployment.addInitialHandlerChainWrapper(EndInIoThread::new);
  }
}
