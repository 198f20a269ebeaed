package org.svcmailbox.undertow.framing;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/** Makes every listener of WildFly's web server check the framing of requests. */
public final class FramingExtension implements ServletExtension {
  private static final String SERVICES = "org.jboss.as.server.CurrentServiceContainer";

  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    // Outside WildFly, as in tests, the listeners are managed elsewhere.
    if (isInWildFly()) {
      GuardedListeners.guardAll();
    }
  }

  private static boolean isInWildFly() {
    try {
      Class.forName(SERVICES, false, FramingExtension.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
