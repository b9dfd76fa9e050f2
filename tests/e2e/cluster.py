"""A real Slurm for tests: munged, slurmctld and one slurmd for each node, all on this machine, with a key, sockets, ports
and folders of their own. Needs root and Debian's slurm-wlm and munge, nothing of systemd and no cgroups.

    with Cluster(Path(folder)) as cluster:
        cluster("sbatch", "script")     # any of Slurm's commands, asked of this cluster

An installed Slurm or munge of the machine is neither read nor touched."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

DAEMONS = ("munged", "slurmctld", "slurmd")


def lacking():
    """Why there can be no cluster here, or None."""
    if os.geteuid() != 0:
        return "not root"
    found = {name: shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") for name in DAEMONS + ("sbatch",)}
    missing = [name for name, path in found.items() if path is None]
    return f"no {', '.join(missing)} (Debian: slurm-wlm, munge)" if missing else None


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [item.getsockname()[1] for item in sockets]
    for item in sockets:
        item.close()
    return ports


class Cluster:
    """Nodes node1, node2, .. of `cpus` processors each, as many as are said, not as many as there are. Partitions: all (the
    default), low (its jobs give way) and high (they get what low has)."""

    def __init__(self, folder, nodes=2, cpus=2, options=""):
        self.folder, self.cpus, self.options = Path(folder), cpus, options
        self.nodes = [f"node{i + 1}" for i in range(nodes)]
        self.daemons = {}
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}

    def __enter__(self):
        try:
            self.write()
            self.start_munge()
            self.start("slurmctld", "slurmctld", "-D", "-i", "-f", self.folder / "slurm.conf")
            self.wait(lambda: self("scontrol", "ping", check=False).returncode == 0, "slurmctld answers")
            for node in self.nodes:
                self.start_node(node)
            self.wait(lambda: all(state == "idle" for state in self.states().values()), "the nodes are idle")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def __call__(self, *command, check=True, **named):
        """Runs a command that finds this cluster; its end, with its output as text."""
        return subprocess.run([str(word) for word in command], env=self.environment, check=check, text=True, capture_output=True,
                              timeout=60, **named)

    def write(self):
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        for name in ("state", *self.nodes):
            (self.folder / name).mkdir()
        host, (control, *ports) = socket.gethostname(), free_ports(1 + len(self.nodes))
        memory = 8000
        lines = ["ClusterName=test", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={control}", "SlurmUser=root",
                 "SlurmdUser=root", "AuthType=auth/munge", "CredType=cred/munge", f"AuthInfo=socket={self.folder}/munge.socket,cred_expire=20",
                 f"StateSaveLocation={self.folder}/state", f"SlurmdSpoolDir={self.folder}/%n", f"SlurmctldLogFile={self.folder}/slurmctld.log",
                 f"SlurmdLogFile={self.folder}/%n.log", f"SlurmctldPidFile={self.folder}/slurmctld.pid", f"SlurmdPidFile={self.folder}/%n.pid",
                 "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SwitchType=switch/none", "MpiDefault=none",
                 "JobAcctGatherType=jobacct_gather/none", "AccountingStorageType=accounting_storage/none", "SelectType=select/cons_tres",
                 "SelectTypeParameters=CR_CPU_Memory", "SchedulerType=sched/backfill", "SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0",
                 "PreemptType=preempt/partition_prio", "PreemptMode=REQUEUE", "ReturnToService=2", "SlurmdParameters=config_overrides",
                 "SlurmdTimeout=10", "KillWait=2", "OverTimeLimit=0", "MailProg=/bin/true", "LaunchParameters=enable_nss_slurm", "MaxArraySize=1001"]
        lines += [self.options] if self.options else []
        lines += [f"NodeName={node} NodeHostName={host} NodeAddr=127.0.0.1 Port={port} CPUs={self.cpus} RealMemory={memory}"
                  for node, port in zip(self.nodes, ports)]
        every = ",".join(self.nodes)
        lines += [f"PartitionName=all Nodes={every} Default=YES MaxTime=INFINITE PriorityTier=1 PreemptMode=off",
                  f"PartitionName=low Nodes={every} PriorityTier=1 PreemptMode=REQUEUE", f"PartitionName=high Nodes={every} PriorityTier=9 PreemptMode=off"]
        (self.folder / "slurm.conf").write_text("\n".join(lines) + "\n")

    def start(self, name, *command):
        with (self.folder / f"{name}.out").open("a", encoding="utf8") as output:
            self.daemons[name] = subprocess.Popen([str(word) for word in command], env={**self.environment, "TEST_NODE": name}, stdin=subprocess.DEVNULL, stdout=output,
                                                  stderr=output, start_new_session=True)

    def start_munge(self):
        self.folder.chmod(0o755)
        files = [f"--{key}={self.folder}/munge.{value}" for key, value in
                 (("key-file", "key"), ("socket", "socket"), ("log-file", "log"), ("pid-file", "pid"), ("seed-file", "seed"))]
        self.start("munged", "munged", "--foreground", "--force", *files)
        self.wait(lambda: (self.folder / "munge.socket").exists(), "munged has its socket")

    def start_node(self, node, blind_for=None):
        """`blind_for`: a folder that the node does not see, as if it lacked the mount."""
        hidden = () if blind_for is None else ("unshare", "--mount", "sh", "-c", 'mount -t tmpfs none "$0" && exec "$@"', blind_for)
        self.start(node, *hidden, "slurmd", "-D", "-N", node, "-f", self.folder / "slurm.conf")

    def kill_node(self, node):
        """As if the machine lost its power: slurmd and what runs there are gone at once."""
        self.kill(node)
        self.end(node, signal.SIGKILL)

    def states(self):
        """The state of each node."""
        return dict(line.split() for line in self("sinfo", "-h", "-N", "-p", "all", "-o", "%N %T").stdout.splitlines())

    def queue(self):
        """Each job and array task that is not over: {id: state}."""
        return dict(line.split() for line in self("squeue", "-h", "-r", "-o", "%i %T").stdout.splitlines())

    def wait(self, true, what, seconds=60):
        end = time.monotonic() + seconds
        while not true():
            if time.monotonic() > end:
                raise TimeoutError(f"not within {seconds} s: {what}\n{self.logs()}")
            for name, daemon in self.daemons.items():
                if daemon.poll() is not None:
                    raise RuntimeError(f"{name} has ended ({daemon.returncode})\n{self.logs()}")
            time.sleep(0.05)

    def logs(self):
        files = [path for pattern in ("*.log", "*.out") for path in sorted(self.folder.glob(pattern))]
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-1500:]}" for path in files)

    def end(self, name, how):
        daemon = self.daemons.pop(name, None)
        if daemon is None:
            return
        try:
            daemon.send_signal(how)
            daemon.wait(10)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def processes(self, node=None):
        """What runs for this cluster, or on one of its nodes: its variables are in the environment of each."""
        mark = f"SLURM_CONF={self.environment['SLURM_CONF']}".encode()
        on_node = {f"{name}={node}".encode() for name in ("SLURMD_NODENAME", "TEST_NODE")}
        found = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if mark in words and (node is None or on_node & set(words)) and entry.name != str(os.getpid()):
                found.append(int(entry.name))
        return found

    def kill(self, node=None):
        for process in self.processes(node):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        """Ends everything, whatever state it is in."""
        self.kill()
        for name in list(self.daemons):
            self.end(name, signal.SIGKILL)
