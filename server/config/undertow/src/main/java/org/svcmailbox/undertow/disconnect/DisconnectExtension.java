package org.svcmailbox.undertow.disconnect;

import io.undertow.servlet.ServletExtension;
import io.undertow.servlet.api.DeploymentInfo;
import jakarta.servlet.ServletContext;

/** Adds the watch over waiting clients to every deployment that can see this extension. */
public final class DisconnectExtension implements ServletExtension {
  @Override
  public void handleDeployment(DeploymentInfo deployment, ServletContext context) {
    deployment.addInnerHandlerChainWrapper(DisconnectHandler::new);
  }
}
