package org.svcmailbox.undertow.threads;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import java.util.Set;

/**
 * Makes every deployment that can see this extension serve its requests on {@link FewThreads} and
 * end them on their {@linkplain EndInIoThread I/O thread}. A suspended request's tasks run in
 * place, on the thread that starts or completes them. So a task that needs the I/O thread to write
 * an answer gets it at once, without another thread in between. For tasks that may block, the
 * deployment finds the request threads in an attribute of its context. Health and metrics have
 * threads of their own.
 */
public final class FewThreadsExtension implements ServletExtension {
  /** The attribute's name; its value is an {@link java.util.concurrent.Executor}. */
  static final String THREADS = "org.svcmailbox.threads";

  /** Enough to keep the processors busy, because a request is short and seldom waits. */
  private static final int PER_PROCESSOR = 2;

  /** The server's own pool gives each deployment as many; see server/config/wildfly. */
  private static final int MOST = 64;

  /** Monitoring must not wait for threads that clients hold. */
  private static final Set<String> RESERVED_PATHS = Set.of("/healthz", "/readyz", "/metrics");

  private static final int RESERVED = 4;

  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    int few = PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    XnioPlatform platform = new XnioPlatform();
    FewThreads threads = new FewThreads(platform, few, MOST);
    FewThreads reserved = new FewThreads(platform, 1, RESERVED);
    deployment.setExecutor(threads);
    deployment.getServlets().values().stream()
        .filter(servlet -> RESERVED_PATHS.containsAll(servlet.getMappings()))
        .filter(servlet -> !servlet.getMappings().isEmpty())
        .forEach(servlet -> servlet.setExecutor(reserved));
    deployment.setAsyncExecutor(Runnable::run);
    context.setAttribute(THREADS, threads);
    deployment.addInitialHandlerChainWrapper(EndInIoThread::new);
  }
}
