package org.svcmailbox.undertow.framing;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;
import org.jboss.as.server.CurrentServiceContainer;
import org.jboss.msc.service.ServiceContainer;

/** Has every listener of WildFly's web server look at the framing of requests. */
public final class FramingExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    ServiceContainer services = CurrentServiceContainer.getServiceContainer();
    // Outside WildFly, as in tests, the listeners are somebody else's.
    if (services != null) {
      GuardedListeners.guardAll(services);
    }
  }
}
