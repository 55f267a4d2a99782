import { layoutOf, readCommandLine } from '../words/command-line.ts';
import type { ProgramTable, ReadEffects } from '../scene.ts';
import type { VerbTable } from '../words/verbs.ts';
import { readVerbs } from '../words/verbs.ts';

const KUBE_VALUES =
  'n namespace context cluster user kubeconfig s server as as-group as-uid token v request-timeout ' +
  'cache-dir certificate-authority client-certificate client-key l selector f filename k kustomize o ' +
  'output c container replicas grace-period timeout p patch type field-selector cascade';

const KUBECTL: VerbTable = {
  kind: 'destroy-cloud',
  values: KUBE_VALUES,
  verbs: {
    delete: { how: 'delete', target: 'what its files or labels name' },
    drain: 'drain',
    replace: { how: 'replace', needs: ['force'], target: 'what its files name' },
    scale: { how: 'scale-to-zero', needs: ['replicas=0'] },
    apply: { how: 'prune', needs: ['prune'], target: 'what its files no longer name' },
    'adm prune': { how: 'prune', needs: ['confirm'], target: 'old objects of the cluster' },
  },
};

const HELM: VerbTable = {
  kind: 'destroy-cloud',
  values:
    'n namespace kube-context kubeconfig kube-apiserver kube-token kube-as-user kube-as-group ' +
    'registry-config repository-cache repository-config timeout burst-limit qps o output description',
  verbs: {
    'uninstall|delete|del|un': 'uninstall',
    rollback: 'rollback',
    push: { kind: 'publish', how: 'chart' },
  },
};

const ENGINE: VerbTable = {
  kind: 'destroy-cloud',
  values:
    'c context H host config log-level tlscacert tlscert tlskey filter url namespace t tag file platform ' +
    'output build-arg',
  verbs: {
    'system prune': { how: 'prune', target: 'stopped containers, unused networks and images' },
    'volume prune': { how: 'prune', target: 'unused volumes' },
    'image prune': { how: 'prune', target: 'unused images' },
    'container prune': { how: 'prune', target: 'stopped containers' },
    'network prune': { how: 'prune', target: 'unused networks' },
    'volume rm|remove': 'remove-volume',
    'stack|service|secret|config|node rm|remove': 'remove',
    'stack down': 'remove',
    'swarm leave': { how: 'leave-swarm', needs: ['f', 'force'], target: 'the swarm' },
    'system reset': { how: 'reset', target: 'every container, image and volume' },
    'machine rm': 'remove',
    push: { kind: 'publish', how: 'image' },
    'image|manifest push': { kind: 'publish', how: 'image' },
    'build|builder|buildx build': { kind: 'publish', how: 'image', needs: ['push'] },
    'buildx build|bake': { kind: 'publish', how: 'image', needs: ['push'] },
  },
};

const COMPOSE: VerbTable = {
  kind: 'destroy-cloud',
  values: 'f file p project-name profile env-file project-directory progress parallel ansi',
  verbs: {
    down: { how: 'remove-volume', needs: ['v', 'volumes'], target: 'volumes of the project' },
    rm: { how: 'remove-volume', needs: ['v'], target: 'volumes of the project' },
    push: { kind: 'publish', how: 'image', target: 'images of the project' },
  },
};

const ENGINE_LAYOUT = layoutOf(ENGINE.values ?? '');
const engine = readVerbs(ENGINE);
const compose = readVerbs(COMPOSE);

const docker: ReadEffects = (command, scene) => {
  const [first] = readCommandLine(command.words.slice(1), ENGINE_LAYOUT).operands;
  if (first?.value !== 'compose') return engine(command, scene);
  return compose({ ...command, words: command.words.slice(command.words.indexOf(first)) }, scene);
};

const DELETES: VerbTable['verbs'] = {
  delete: 'delete',
  destroy: 'delete',
  remove: 'delete',
  rm: 'delete',
  uninstall: 'uninstall',
};

/** Clusters and what runs on them, by tools with a noun before the verb. */
const CLUSTER_TOOLS: VerbTable = {
  kind: 'destroy-cloud',
  values:
    'n namespace context kube-context kubeconfig name p profile state region f file e environment l ' +
    'selector server',
  verbs: { 'state rm': 'delete' },
  scan: { verbs: DELETES, depth: 3 },
};
const clusterTool = readVerbs(CLUSTER_TOOLS);
/** Of these the verb alone means the cluster that they run here. */
const localCluster = readVerbs({ ...CLUSTER_TOOLS, target: 'the cluster' });
const cluster: ReadEffects = (command, scene) =>
  localCluster(command, scene).map((effect) =>
    /^clusters?$/.test(effect.target) ? { ...effect, target: 'the cluster' } : effect,
  );

export const CONTAINER_PROGRAMS: ProgramTable = {
  docker,
  podman: docker,
  nerdctl: docker,
  buildah: engine,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl: readVerbs(KUBECTL),
  oc: readVerbs(KUBECTL),
  k: readVerbs(KUBECTL),
  helm: readVerbs(HELM),
  helmfile: clusterTool,
  eksctl: clusterTool,
  kops: clusterTool,
  kind: cluster,
  k3d: cluster,
  minikube: cluster,
  argocd: clusterTool,
  flux: clusterTool,
  istioctl: clusterTool,
  velero: clusterTool,
  skaffold: clusterTool,
  okteto: clusterTool,
  rancher: clusterTool,
};
